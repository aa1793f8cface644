import { assertEvent, assign, fromCallback, fromPromise, type SnapshotFrom, setup } from "xstate";
import type { SharedAnswer, SharedTranscript } from "#contract/index.ts";
import { codeOf, isGone, isNotOffered } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import type { VisitEvent } from "./visit-events.ts";

interface VisitContext {
  /** null before the link has opened, and once it is gone. */
  transcript: SharedTranscript | null;
  /** Why it could not be opened, or unlocked: an error code of the contract, or `noPassphrase`; null unless it could not. */
  failure: string | null;
}

interface Failed {
  error: unknown;
}
interface Answered {
  output: SharedAnswer;
}

/** What is asked with; the address itself is the page's alone, and in no machine. */
export interface Opening {
  passphrase?: string;
}

/**
 * The page of a link, as a visitor sees it: opened with the passphrase that may be asked for, shown, and gone when the link is. A link that
 * was revoked, has ended or never was is one state: nobody can tell them apart.
 */
export const visitMachine = setup({
  types: {
    context: {} as VisitContext,
    events: {} as VisitEvent,
    /** The passphrase is asked for, or being tried. */
    tags: {} as "locked",
  },
  actors: {
    /** Rejects with `notFound` for a link that does not open, `wrongPassword` and `tooManyRequests`, among others. */
    open: fromPromise<SharedAnswer, Opening>(async () => notProvided("open")),
    wakeUps: fromCallback<VisitEvent>(() => notProvided("wakeUps")),
  },
  actions: {
    keepTranscript: assign((_, { output }: Answered) => ({
      transcript: output.locked ? null : output.transcript,
      failure: null,
    })),
    forget: assign({ transcript: null, failure: null }),
    keepFailure: assign({ failure: (_, { error }: Failed) => codeOf(error) }),
    refuseNothing: assign({ failure: "noPassphrase" }),
    clearFailure: assign({ failure: null }),
  },
  guards: {
    isLocked: (_, { output }: Answered) => output.locked,
    // A server without links has none at this address either.
    isGone: (_, { error }: Failed) => isGone(error) || isNotOffered(error),
    isNothing: (_, { passphrase }: { passphrase: string }) => passphrase === "",
  },
}).createMachine({
  id: "visit",
  context: { transcript: null, failure: null },
  initial: "loading",
  states: {
    loading: {
      invoke: {
        src: "open",
        input: {},
        onDone: [
          { guard: { type: "isLocked", params: ({ event }) => event }, target: "locked", actions: "clearFailure" },
          { target: "shown", actions: { type: "keepTranscript", params: ({ event }) => event } },
        ],
        onError: [
          { guard: { type: "isGone", params: ({ event }) => event }, target: "gone" },
          { target: "failed", actions: { type: "keepFailure", params: ({ event }) => event } },
        ],
      },
    },
    failed: { invoke: { src: "wakeUps" }, on: { "retry.requested": "loading", "page.resumed": "loading" } },
    locked: {
      tags: "locked",
      on: {
        "passphrase.entered": [
          { guard: { type: "isNothing", params: ({ event }) => event }, actions: "refuseNothing" },
          { target: "unlocking", actions: "clearFailure" },
        ],
      },
    },
    unlocking: {
      tags: "locked",
      invoke: {
        src: "open",
        // Kept nowhere: it is in the field, and in this call.
        input: ({ event }) => {
          assertEvent(event, "passphrase.entered");
          return { passphrase: event.passphrase };
        },
        onDone: [
          { guard: { type: "isLocked", params: ({ event }) => event }, target: "locked" },
          { target: "shown", actions: { type: "keepTranscript", params: ({ event }) => event } },
        ],
        onError: [
          { guard: { type: "isGone", params: ({ event }) => event }, target: "gone" },
          { target: "locked", actions: { type: "keepFailure", params: ({ event }) => event } },
        ],
      },
    },
    shown: {
      initial: "resting",
      states: {
        resting: { on: { "access.lapsed": "checking" } },
        /** What is read stays until the answer, and if there is none. */
        checking: {
          invoke: {
            src: "open",
            input: {},
            onDone: [
              {
                guard: { type: "isLocked", params: ({ event }) => event },
                target: "#visit.locked",
                actions: { type: "keepTranscript", params: ({ event }) => event },
              },
              { target: "resting", actions: { type: "keepTranscript", params: ({ event }) => event } },
            ],
            onError: [
              { guard: { type: "isGone", params: ({ event }) => event }, target: "#visit.gone", actions: "forget" },
              { target: "resting" },
            ],
          },
        },
      },
    },
    gone: {},
  },
});

type Snapshot = SnapshotFrom<typeof visitMachine>;

export const selectIsOpening = (snapshot: Snapshot): boolean => snapshot.matches("loading");
/** The passphrase is asked for, or being tried. */
export const selectIsLocked = (snapshot: Snapshot): boolean => snapshot.hasTag("locked");
export const selectIsUnlocking = (snapshot: Snapshot): boolean => snapshot.matches("unlocking");
/** It opens nothing, or nothing any more. */
export const selectIsGone = (snapshot: Snapshot): boolean => snapshot.matches("gone");
/** What it shows; null unless it is open. */
export const selectShown = (snapshot: Snapshot): SharedTranscript | null =>
  snapshot.matches("shown") ? snapshot.context.transcript : null;
/** An error code of the contract; null unless it could not be loaded. */
export const selectLoadFailure = (snapshot: Snapshot): string | null =>
  snapshot.matches("failed") ? snapshot.context.failure : null;
/** Why the passphrase does not open it: an error code of the contract, or `noPassphrase`; null before it was tried. */
export const selectRefusal = (snapshot: Snapshot): string | null => (snapshot.hasTag("locked") ? snapshot.context.failure : null);
