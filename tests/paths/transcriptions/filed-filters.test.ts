import { createActor } from "xstate";
import {
  type FiledFiltersEvent,
  filedFiltersMachine,
  filedFiltersOf,
  selectIsNarrowedByFiling,
} from "#machines/transcriptions/filed-filters.ts";
import { sent } from "#tests/paths/harness-moves.ts";
import { type Move, type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

interface Wanted {
  folder: string;
  tags: readonly string[];
  favourites: boolean;
}
const nothing: Wanted = { folder: "all", tags: [], favourites: false };

function prepare() {
  return ({ clock, inspect }: RunOptions) => {
    // The chosen folders and tags that still exist.
    const wanted = { ...nothing };
    return { actor: createActor(filedFiltersMachine, { clock, inspect }), wanted };
  };
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

function wants(name: string, event: FiledFiltersEvent, change: (before: Wanted) => Partial<Wanted>): Move<Harness> {
  const move = sent(event, name);
  return {
    name,
    may: move.may,
    happen: (harness, clock) => {
      Object.assign(harness.wanted, change(harness.wanted));
      move.happen(harness, clock);
    },
  };
}
const toggled = (tags: readonly string[], id: string) => (tags.includes(id) ? tags.filter((tag) => tag !== id) : [...tags, id]);

walkTests<Harness>({
  machine: filedFiltersMachine,
  prepare,
  moves: [
    ...["all", "none", "w"].map((folder) => wants(`folder: ${folder}`, { type: "folder.changed", folder }, () => ({ folder }))),
    ...["u", "l"].map((id) => wants(`tag: ${id}`, { type: "tag.toggled", id }, ({ tags }) => ({ tags: toggled(tags, id) }))),
    wants("favourites.toggled", { type: "favourites.toggled" }, ({ favourites }) => ({ favourites: !favourites })),
    wants("filters.cleared", { type: "filters.cleared" }, () => nothing),
    wants("others are made", { type: "filing.changed", folders: ["w", "h"], tags: ["u", "l", "x"] }, () => ({})),
    wants("some are deleted", { type: "filing.changed", folders: ["h"], tags: ["l"] }, ({ folder, tags }) => ({
      folder: folder === "w" ? "all" : folder,
      tags: tags.filter((tag) => tag === "l"),
    })),
  ],
  isLocal: "the list is in the page",
  situation: ({ wanted }) => wanted,
  rules: {
    "each is what was chosen last, and is still there": ({ actor, wanted }) => {
      const { folder, tags, favourites } = filedFiltersOf(actor.getSnapshot());
      return folder === wanted.folder && favourites === wanted.favourites && tags.join() === wanted.tags.join();
    },
    "it narrows as long as something is chosen": ({ actor, wanted: { folder, tags, favourites } }) =>
      selectIsNarrowedByFiling(actor.getSnapshot()) === (folder !== "all" || tags.length > 0 || favourites),
  },
});
