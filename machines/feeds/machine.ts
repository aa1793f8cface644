import { type SnapshotFrom, setup } from "xstate";
import type { Folder } from "#contract/index.ts";
import { createCollection, emptyCollection } from "#machines/collection/collection.ts";
import type { CollectionContext } from "#machines/collection/events.ts";
import { selectChanging } from "#machines/collection/selectors.ts";
import type { FeedsEvent, FeedTypes } from "./events.ts";

type FeedsContext = CollectionContext<FeedTypes>;

/** How often it is looked how the feeds stand (milliseconds): the server looks at each about once an hour. */
const pollMs = 30_000;

const collection = createCollection<FeedTypes, FeedsContext, FeedsEvent>({
  flawOf: ({ url }) => (url.trim() === "" ? "noUrl" : null),
});
const { resting, refreshing } = collection.idle.states;

/** The feeds that a person follows: listed with how each stands, followed once the server has read one, paused, removed after a question. */
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
            /** The server finds episodes meanwhile. */
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

/** How many the person's plan has. */
export const selectLimit = (snapshot: Snapshot): number => snapshot.context.known?.limit ?? 0;
/** Where transcripts can go. */
export const selectFolders = (snapshot: Snapshot): readonly Folder[] => snapshot.context.known?.folders ?? noFolders;
/** Where the transcripts of the one that is being changed are to go; undefined where that is not what changes. */
export const selectWantedFolder = (snapshot: Snapshot): string | null | undefined =>
  selectChanging(snapshot) === null ? undefined : snapshot.context.change?.folderId;
