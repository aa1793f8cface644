import { type SnapshotFrom, setup } from "xstate";
import type { Folder } from "#contract/index.ts";
import { createCollection, emptyCollection } from "#machines/collection/collection.ts";
import type { CollectionContext } from "#machines/collection/events.ts";
import { selectChanging } from "#machines/collection/selectors.ts";
import type { FeedsEvent, FeedTypes } from "./events.ts";

type FeedsContext = CollectionContext<FeedTypes>;

/** How often the state of the feeds is polled (ms). The server reads each feed about once an hour. */
const pollMs = 30_000;

const collection = createCollection<FeedTypes, FeedsContext, FeedsEvent>({
  flawOf: ({ url }) => (url.trim() === "" ? "noUrl" : null),
});
const { resting, refreshing } = collection.idle.states;

/**
 * A person's feeds: listed with their states, followed once the server has read them, paused, and removed after a
 * confirmation.
 */
export const feedsMachine = setup({
  ...collection.parts,
  guards: {
    ...collection.guards,
    hasFeeds: ({ context }) => (context.known?.items.length ?? 0) > 0,
  },
  delays: { pollInterval: pollMs },
}).createMachine({
  id: "feeds",
  context: emptyCollection,
  initial: "loading",
  states: {
    ...collection.loading,
    open: {
      initial: "idle",
      states: {
        idle: {
          initial: "resting",
          on: {
            "creation.requested": collection.toWriting,
            "change.requested": collection.toChanging,
            "removal.requested": collection.toAsking,
          },
          states: {
            /** The server finds new episodes in the meantime. */
            resting: { ...resting, after: { pollInterval: { guard: "hasFeeds", target: "refreshing" } } },
            refreshing,
          },
        },
        ...collection.creation,
        ...collection.change,
        ...collection.removal,
      },
    },
  },
});

type Snapshot = SnapshotFrom<typeof feedsMachine>;

const noFolders: readonly Folder[] = [];

/** How many feeds the person's plan allows. */
export const selectLimit = (snapshot: Snapshot): number => snapshot.context.known?.limit ?? 0;
/** The folders for transcripts. */
export const selectFolders = (snapshot: Snapshot): readonly Folder[] => snapshot.context.known?.folders ?? noFolders;
/** The new folder of the feed that is being changed; undefined if the change is about something else. */
export const selectWantedFolder = (snapshot: Snapshot): string | null | undefined =>
  selectChanging(snapshot) === null ? undefined : snapshot.context.change?.folderId;
