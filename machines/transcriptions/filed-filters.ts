import { assign, type SnapshotFrom, setup } from "xstate";
import { withEvent } from "#machines/with-event.ts";
import type { FiledFilters } from "./rules.ts";

/** Sent by the page, except for the last one. */
export type FiledFiltersEvent =
  /** A folder's id, "none" for rows without a folder, or "all". */
  | { type: "folder.changed"; folder: string }
  /** Only rows with all chosen tags are shown. */
  | { type: "tag.toggled"; id: string }
  | { type: "favourites.toggled" }
  /** Shows everything again. */
  | { type: "filters.cleared" }
  /** The existing folders and tags: a chosen one may have been deleted. */
  | { type: "filing.changed"; folders: readonly string[]; tags: readonly string[] };

interface FiledFiltersContext {
  folder: string;
  tags: readonly string[];
  /** A folder id that is missing here belongs to a deleted folder. */
  folders: ReadonlySet<string>;
}

/**
 * The filters by folder, tags and favorites. They are independent of each other and of the filters of SPEC.md section
 * 4; all are cleared together.
 */
export const filedFiltersMachine = setup({
  types: {
    context: {} as FiledFiltersContext,
    events: {} as FiledFiltersEvent,
    /** A filter is active. */
    tags: {} as "narrowed",
  },
  actions: {
    setFolder: assign({ folder: (_, { folder }: { folder: string }) => folder }),
    clearFolder: assign({ folder: "all" }),
    assignFolders: assign({ folders: (_, { folders }: { folders: readonly string[] }) => new Set(folders) }),
    toggleTag: assign({
      tags: ({ context: { tags } }, { id }: { id: string }) =>
        tags.includes(id) ? tags.filter((tag) => tag !== id) : [...tags, id],
    }),
    dropTags: assign({
      tags: ({ context }, { tags }: { tags: readonly string[] }) =>
        context.tags.every((tag) => tags.includes(tag)) ? context.tags : context.tags.filter((tag) => tags.includes(tag)),
    }),
    clearTags: assign({ tags: [] }),
  },
  guards: {
    isAnyFolder: (_, { folder }: { folder: string }) => folder === "all",
    isNoFolder: (_, { folder }: { folder: string }) => folder === "none",
    isDeleted: ({ context: { folder } }, { folders }: { folders: readonly string[] }) =>
      folder !== "all" && folder !== "none" && !folders.includes(folder),
    hasTags: ({ context }) => context.tags.length > 0,
    hasNoTags: ({ context }) => context.tags.length === 0,
  },
}).createMachine({
  id: "filedFilters",
  context: { folder: "all", tags: [], folders: new Set() },
  type: "parallel",
  states: {
    folder: {
      initial: "all",
      on: {
        "folder.changed": [
          { guard: withEvent("isAnyFolder"), target: ".all", actions: "clearFolder" },
          { guard: withEvent("isNoFolder"), target: ".none", actions: withEvent("setFolder") },
          { target: ".chosen", actions: withEvent("setFolder") },
        ],
        "filing.changed": [
          { guard: withEvent("isDeleted"), target: ".all", actions: ["clearFolder", withEvent("assignFolders")] },
          { actions: withEvent("assignFolders") },
        ],
        "filters.cleared": { target: ".all", actions: "clearFolder" },
      },
      states: {
        all: {},
        /** Rows without a folder. */
        none: { tags: "narrowed" },
        chosen: { tags: "narrowed" },
      },
    },
    tags: {
      initial: "any",
      on: {
        "tag.toggled": { actions: withEvent("toggleTag") },
        "filing.changed": { actions: withEvent("dropTags") },
        "filters.cleared": { actions: "clearTags" },
      },
      states: {
        any: { always: { guard: "hasTags", target: "chosen" } },
        chosen: { tags: "narrowed", always: { guard: "hasNoTags", target: "any" } },
      },
    },
    favourites: {
      initial: "all",
      on: { "filters.cleared": ".all" },
      states: {
        all: { on: { "favourites.toggled": "only" } },
        only: { tags: "narrowed", on: { "favourites.toggled": "all" } },
      },
    },
  },
});

type Snapshot = SnapshotFrom<typeof filedFiltersMachine>;

/** A folder's id, "none" or "all". */
export const selectFolder = (snapshot: Snapshot): string => snapshot.context.folder;
/** A new array only when they change. */
export const selectTags = (snapshot: Snapshot): readonly string[] => snapshot.context.tags;
export const selectOnlyFavourites = (snapshot: Snapshot): boolean => snapshot.matches({ favourites: "only" });
export const selectIsNarrowedByFiling = (snapshot: Snapshot): boolean => snapshot.hasTag("narrowed");
/** A new object each time: for `fitsFiled`, not for `useSelector`. */
export const filedFiltersOf = (snapshot: Snapshot): FiledFilters => ({
  folder: selectFolder(snapshot),
  tags: selectTags(snapshot),
  favourites: selectOnlyFavourites(snapshot),
  folders: snapshot.context.folders,
});
