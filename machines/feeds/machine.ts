import { assign, emit, fromCallback, fromPromise, setup } from "xstate";
import type { Feed, FeedChange, FeedsAnswer, Folder, NewFeed } from "#contract/index.ts";
import { codeOf, isGone, isNotOffered } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { present } from "#machines/present.ts";
import type { FeedsEmitted, FeedsEvent } from "./events.ts";

/** A person's feeds, how many they may follow, and where transcripts can go. */
export interface KnownFeeds extends FeedsAnswer {
  folders: readonly Folder[];
}

export interface FeedsContext {
  /** As the server has them, the oldest first; null before they are loaded. */
  known: KnownFeeds | null;
  /** What is to be followed. */
  wanted: NewFeed | null;
  /** The id of the one that is to be removed or changed. */
  chosen: string | null;
  /** What is to be different about it. */
  change: FeedChange;
  /** How often the list came back without what had the focus: one was removed. */
  returns: number;
  /** Why the last change failed: an error code of the contract, or `noUrl`; null unless it did. */
  failure: string | null;
  /** Why loading failed: an error code of the contract. */
  loadError: string | null;
}

interface Failed {
  error: unknown;
}

/** How often it is looked how the feeds stand (milliseconds): the server looks at each about once an hour. */
const pollMs = 30_000;

/** The feeds that a person follows: listed with how each stands, followed once the server has read one, paused, removed after a question. */
export const feedsMachine = setup({
  types: {
    context: {} as FeedsContext,
    events: {} as FeedsEvent,
    emitted: {} as FeedsEmitted,
    /** `unavailable`: the server does not know feeds. */
    tags: {} as "unavailable",
  },
  actors: {
    load: fromPromise<KnownFeeds>(async () => notProvided("load")),
    /** Rejects with the codes `notAudio`, `tooLarge`, `urlRefused`, `urlUnreachable`, `urlTimeout`, `conflict` and `tooManyAtOnce`, among others. */
    follow: fromPromise<Feed, NewFeed>(async () => notProvided("follow")),
    /** Rejects with the code `notFound` for one that was removed elsewhere, as does `remove`; with `tooManyAtOnce` when the plan has fewer. */
    change: fromPromise<Feed, { id: string; change: FeedChange }>(async () => notProvided("change")),
    remove: fromPromise<void, { id: string }>(async () => notProvided("remove")),
    wakeUps: fromCallback<FeedsEvent>(() => notProvided("wakeUps")),
  },
  actions: {
    keep: assign((_, { output }: { output: KnownFeeds }) => ({ known: output, loadError: null })),
    keepLoadError: assign({ loadError: (_, { error }: Failed) => codeOf(error) }),
    keepWanted: assign((_, { wanted }: { wanted: NewFeed }) => ({ wanted, failure: null })),
    dropWanted: assign({ wanted: null }),
    keepFollowed: assign(({ context }, { output }: { output: Feed }) => {
      const known = present(context.known, "the known feeds");
      return { known: { ...known, feeds: [...known.feeds, output] } };
    }),
    choose: assign((_, { id }: { id: string }) => ({ chosen: id, failure: null })),
    dropChosen: assign({ chosen: null }),
    wantPaused: assign({ change: { paused: true } }),
    wantGoingOn: assign({ change: { paused: false } }),
    wantFolder: assign((_, { folderId }: { folderId: string | null }) => ({ change: { folderId } })),
    keepChanged: assign(({ context }, { output }: { output: Feed }) => {
      const known = present(context.known, "the known feeds");
      return { known: { ...known, feeds: known.feeds.map((feed) => (feed.id === output.id ? output : feed)) } };
    }),
    removeChosen: assign(({ context }) => {
      const known = present(context.known, "the known feeds");
      return { known: { ...known, feeds: known.feeds.filter(({ id }) => id !== context.chosen) } };
    }),
    countReturn: assign({ returns: ({ context }) => context.returns + 1 }),
    keepFailure: assign({ failure: (_, { error }: Failed) => codeOf(error) }),
    refuseWithoutUrl: assign({ failure: "noUrl" }),
    clearFailure: assign({ failure: null }),
    emitFollowed: emit({ type: "feed.followed" }),
    emitRemoved: emit({ type: "feed.removed" }),
  },
  guards: {
    isNotOffered: (_, { error }: Failed) => isNotOffered(error),
    isGone: (_, { error }: Failed) => isGone(error),
    hasNoUrl: (_, { wanted }: { wanted: NewFeed }) => wanted.url.trim() === "",
    hasFeeds: ({ context }) => (context.known?.feeds.length ?? 0) > 0,
  },
  delays: { pollInterval: pollMs },
}).createMachine({
  id: "feeds",
  context: { known: null, wanted: null, chosen: null, change: {}, returns: 0, failure: null, loadError: null },
  initial: "loading",
  states: {
    loading: {
      invoke: {
        src: "load",
        onDone: { target: "open", actions: { type: "keep", params: ({ event }) => event } },
        onError: [
          { guard: { type: "isNotOffered", params: ({ event }) => event }, target: "unavailable" },
          { target: "failed", actions: { type: "keepLoadError", params: ({ event }) => event } },
        ],
      },
    },
    unavailable: { tags: "unavailable" },
    failed: { invoke: { src: "wakeUps" }, on: { "reload.requested": "loading", "page.resumed": "loading" } },
    open: {
      initial: "idle",
      states: {
        idle: {
          initial: "resting",
          on: {
            "new.requested": { target: "writing", actions: "clearFailure" },
            "removal.requested": { target: "asking", actions: { type: "choose", params: ({ event }) => event } },
            "pause.requested": {
              target: "changing",
              actions: [{ type: "choose", params: ({ event }) => event }, "wantPaused"],
            },
            "resume.requested": {
              target: "changing",
              actions: [{ type: "choose", params: ({ event }) => event }, "wantGoingOn"],
            },
            "folder.chosen": {
              target: "changing",
              actions: [
                { type: "choose", params: ({ event }) => event },
                { type: "wantFolder", params: ({ event }) => event },
              ],
            },
          },
          states: {
            /** The server finds episodes meanwhile, and another tab may change something. */
            resting: {
              invoke: { src: "wakeUps" },
              on: { "page.resumed": "refreshing" },
              after: { pollInterval: { guard: "hasFeeds", target: "refreshing" } },
            },
            /** What is shown stays until the answer, and if there is none. */
            refreshing: {
              invoke: {
                src: "load",
                onDone: { target: "resting", actions: { type: "keep", params: ({ event }) => event } },
                onError: "resting",
              },
            },
          },
        },
        writing: {
          on: {
            "follow.requested": [
              { guard: { type: "hasNoUrl", params: ({ event }) => event }, actions: "refuseWithoutUrl" },
              { target: "following", actions: { type: "keepWanted", params: ({ event }) => event } },
            ],
            "new.dismissed": { target: "idle", actions: "clearFailure" },
          },
        },
        /** The server reads it: half a minute at most. What was written stays in the form. */
        following: {
          invoke: {
            src: "follow",
            input: ({ context }) => present(context.wanted, "the wanted feed"),
            onDone: {
              target: "idle",
              actions: [{ type: "keepFollowed", params: ({ event }) => event }, "dropWanted", "emitFollowed"],
            },
            onError: { target: "writing", actions: [{ type: "keepFailure", params: ({ event }) => event }, "dropWanted"] },
          },
        },
        asking: {
          on: { "removal.confirmed": "removing", "removal.dismissed": { target: "idle", actions: "dropChosen" } },
        },
        removing: {
          invoke: {
            src: "remove",
            input: ({ context }) => ({ id: present(context.chosen, "the feed's id") }),
            onDone: { target: "idle", actions: ["removeChosen", "dropChosen", "countReturn", "emitRemoved"] },
            onError: [
              {
                // Removed elsewhere: what is shown is old.
                guard: { type: "isGone", params: ({ event }) => event },
                target: "idle.refreshing",
                actions: [{ type: "keepFailure", params: ({ event }) => event }, "dropChosen"],
              },
              { target: "idle", actions: [{ type: "keepFailure", params: ({ event }) => event }, "dropChosen"] },
            ],
          },
        },
        changing: {
          invoke: {
            src: "change",
            input: ({ context }) => ({ id: present(context.chosen, "the feed's id"), change: context.change }),
            onDone: { target: "idle", actions: [{ type: "keepChanged", params: ({ event }) => event }, "dropChosen"] },
            onError: {
              target: "idle.refreshing",
              actions: [{ type: "keepFailure", params: ({ event }) => event }, "dropChosen"],
            },
          },
        },
      },
    },
  },
});
