import { assign, emit, fromCallback, fromPromise, type SnapshotFrom, setup } from "xstate";
import type { ReceivedShare } from "#contract/index.ts";
import { codeOf, isGone, isNotOffered } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { present } from "#machines/present.ts";

export type SharedWithMeEvent =
  /** The person accepts what is offered. */
  | { type: "acceptance.requested"; id: string }
  /** They decline an offer, or want to leave what is shared with them: that is asked first. */
  | { type: "leaving.requested"; id: string }
  | { type: "leaving.confirmed" }
  | { type: "leaving.dismissed" }
  | { type: "reload.requested" }
  /** The actor `wakeUps`: the network is back, or the page is visible again. */
  | { type: "page.resumed" };

/** Emitted to the page. */
export type SharedWithMeEmitted = { type: "share.accepted" } | { type: "share.left" };

interface SharedWithMeContext {
  /** As the server has it: offers first; null before it is loaded. */
  shares: readonly ReceivedShare[] | null;
  /** What is being accepted, or to be left. */
  subject: string | null;
  /** How many were accepted or left since the page was opened. */
  answers: number;
  /** Why the last answer failed: an error code of the contract; null unless it did. */
  failure: string | null;
  loadError: string | null;
}

interface Failed {
  error: unknown;
}

type Answered = { output: readonly ReceivedShare[] };

/** What others share with a person: offers are accepted or declined, and what was accepted is left after a question. */
export const sharedWithMeMachine = setup({
  types: {
    context: {} as SharedWithMeContext,
    events: {} as SharedWithMeEvent,
    emitted: {} as SharedWithMeEmitted,
  },
  actors: {
    load: fromPromise<readonly ReceivedShare[]>(async () => notProvided("load")),
    /** Both answer with what is left; reject with the code `notFound` for what was taken away meanwhile. */
    accept: fromPromise<readonly ReceivedShare[], { id: string }>(async () => notProvided("accept")),
    leave: fromPromise<readonly ReceivedShare[], { id: string }>(async () => notProvided("leave")),
    wakeUps: fromCallback<SharedWithMeEvent>(() => notProvided("wakeUps")),
  },
  actions: {
    keep: assign((_, { output }: Answered) => ({ shares: output, loadError: null })),
    keepAnswered: assign(({ context }, { output }: Answered) => ({
      shares: output,
      subject: null,
      answers: context.answers + 1,
    })),
    keepLoadError: assign({ loadError: (_, { error }: Failed) => codeOf(error) }),
    keepSubject: assign((_, { id }: { id: string }) => ({ subject: id, failure: null })),
    dropSubject: assign({ subject: null }),
    keepFailure: assign({ failure: (_, { error }: Failed) => codeOf(error), subject: null }),
    emitEvent: emit((_, event: SharedWithMeEmitted) => event),
  },
  guards: {
    isNotOffered: (_, { error }: Failed) => isNotOffered(error),
    isGone: (_, { error }: Failed) => isGone(error),
  },
}).createMachine({
  id: "sharedWithMe",
  context: { shares: null, subject: null, answers: 0, failure: null, loadError: null },
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
    /** The server shares with nobody. */
    unavailable: {},
    failed: { invoke: { src: "wakeUps" }, on: { "reload.requested": "loading", "page.resumed": "loading" } },
    open: {
      initial: "idle",
      states: {
        idle: {
          initial: "resting",
          on: {
            "acceptance.requested": { target: "accepting", actions: { type: "keepSubject", params: ({ event }) => event } },
            "leaving.requested": { target: "asking", actions: { type: "keepSubject", params: ({ event }) => event } },
          },
          states: {
            resting: { invoke: { src: "wakeUps" }, on: { "page.resumed": "refreshing" } },
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
        accepting: {
          invoke: {
            src: "accept",
            input: ({ context }) => ({ id: present(context.subject, "the offer's id") }),
            onDone: {
              target: "idle",
              actions: [
                { type: "keepAnswered", params: ({ event }) => event },
                { type: "emitEvent", params: { type: "share.accepted" } },
              ],
            },
            onError: [
              {
                // Taken away meanwhile: what is shown is old.
                guard: { type: "isGone", params: ({ event }) => event },
                target: "idle.refreshing",
                actions: { type: "keepFailure", params: ({ event }) => event },
              },
              { target: "idle", actions: { type: "keepFailure", params: ({ event }) => event } },
            ],
          },
        },
        asking: {
          on: { "leaving.confirmed": "leaving", "leaving.dismissed": { target: "idle", actions: "dropSubject" } },
        },
        leaving: {
          invoke: {
            src: "leave",
            input: ({ context }) => ({ id: present(context.subject, "the share's id") }),
            onDone: {
              target: "idle",
              actions: [
                { type: "keepAnswered", params: ({ event }) => event },
                { type: "emitEvent", params: { type: "share.left" } },
              ],
            },
            onError: [
              {
                guard: { type: "isGone", params: ({ event }) => event },
                target: "idle.refreshing",
                actions: { type: "keepFailure", params: ({ event }) => event },
              },
              { target: "idle", actions: { type: "keepFailure", params: ({ event }) => event } },
            ],
          },
        },
      },
    },
  },
});

type Snapshot = SnapshotFrom<typeof sharedWithMeMachine>;

const nothing: readonly ReceivedShare[] = [];

export const selectIsLoading = (snapshot: Snapshot): boolean => snapshot.matches("loading");
export const selectIsUnavailable = (snapshot: Snapshot): boolean => snapshot.matches("unavailable");
/** An error code of the contract; null unless loading failed. */
export const selectLoadError = (snapshot: Snapshot): string | null =>
  snapshot.matches("failed") ? snapshot.context.loadError : null;
export const selectIsOpen = (snapshot: Snapshot): boolean => snapshot.matches("open");
/** Offers first. */
export const selectShares = (snapshot: Snapshot): readonly ReceivedShare[] => snapshot.context.shares ?? nothing;
/** The id of the one that is being accepted or left; null for none. */
export const selectBusy = (snapshot: Snapshot): string | null =>
  snapshot.matches({ open: "accepting" }) || snapshot.matches({ open: "leaving" }) ? snapshot.context.subject : null;
/** What is to be left, when that waits for a yes; null for nothing. */
export const selectAsked = (snapshot: Snapshot): ReceivedShare | null =>
  snapshot.matches({ open: "asking" })
    ? (selectShares(snapshot).find(({ id }) => id === snapshot.context.subject) ?? null)
    : null;
/** How many were accepted or left since the page was opened: what had the focus is gone with each. */
export const selectAnswers = (snapshot: Snapshot): number => snapshot.context.answers;
/** Why the last answer failed: an error code of the contract; null unless it did. */
export const selectFailure = (snapshot: Snapshot): string | null => snapshot.context.failure;
