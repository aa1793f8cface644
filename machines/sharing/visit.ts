import { type ActorRefFrom, assertEvent, assign, fromCallback, fromPromise, type SnapshotFrom, setup } from "xstate";
import { codeOf, type Failed, isGone, isNotOffered } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";

/** Events of a link's page and its visitor. */
export type VisitEvent =
  | { type: "passphrase.entered"; passphrase: string }
  | { type: "retry.requested" }
  /** The server refuses to play or save: the page finds out why. */
  | { type: "access.lapsed" }
  /** The visitor requests the audio of a recording, or cancels its download. */
  | { type: "sound.requested" }
  | { type: "cancel.requested" }
  /** The actor `wakeUps`: the network is back, or the page is visible again. */
  | { type: "page.resumed" };

interface VisitContext {
  /** Why opening, unlocking or loading the audio failed: an error code or `noPassphrase`; null if it did not. */
  failure: string | null;
}

/** The actor `open` adds the address, which the machine does not store. */
export interface Opening {
  passphrase?: string;
}

/**
 * A visitor's page of a link: opened (with a passphrase if required), shown, and gone when the link is. A link that was
 * revoked, has expired or never existed is one state, so that nobody can tell them apart. The content is stored outside
 * the machine.
 */
export const visitMachine = setup({
  types: {
    context: {} as VisitContext,
    events: {} as VisitEvent,
    /** The visitor must enter the passphrase, or it is being checked. */
    tags: {} as "locked",
  },
  actors: {
    /**
     * Stores the link's content unless it is locked. Rejects with `notFound` for a link that does not open,
     * `wrongPassword` and `tooManyRequests`; if the browser decrypts, also with `noKey`, `wrongPassphrase` (or the key
     * is wrong) and `tampered`, among others.
     */
    open: fromPromise<{ locked: boolean }, Opening>(async () => notProvided("open")),
    /** Fetches all of a recording's audio and decrypts it, so that nothing tampered is played. */
    fetchSound: fromPromise<void>(async () => notProvided("fetchSound")),
    wakeUps: fromCallback<VisitEvent>(() => notProvided("wakeUps")),
  },
  actions: {
    /** Discards the content. */
    forget: () => notProvided("forget"),
    assignFailure: assign({ failure: (_, { error }: Failed) => codeOf(error) }),
    refuseNothing: assign({ failure: "noPassphrase" }),
    clearFailure: assign({ failure: null }),
  },
  guards: {
    isLocked: (_, { locked }: { locked: boolean }) => locked,
    // A server without links has no link at this address either.
    isGone: (_, { error }: Failed) => isGone(error) || isNotOffered(error),
    isBroken: (_, { error }: Failed) => ["noKey", "wrongPassphrase", "tampered"].includes(codeOf(error)),
    isTampered: (_, { error }: Failed) => codeOf(error) === "tampered",
    isNothing: (_, { passphrase }: { passphrase: string }) => passphrase === "",
  },
}).createMachine({
  id: "visit",
  context: { failure: null },
  initial: "loading",
  states: {
    loading: {
      entry: "clearFailure",
      invoke: {
        src: "open",
        input: {},
        onDone: [{ guard: withOutput("isLocked"), target: "locked" }, { target: "shown" }],
        onError: [
          { guard: withEvent("isBroken"), target: "broken" },
          { guard: withEvent("isGone"), target: "gone" },
          { target: "failed", actions: withEvent("assignFailure") },
        ],
      },
    },
    failed: { invoke: { src: "wakeUps" }, on: { "retry.requested": "loading", "page.resumed": "loading" } },
    locked: {
      tags: "locked",
      on: {
        "passphrase.entered": [
          { guard: withEvent("isNothing"), actions: "refuseNothing" },
          { target: "unlocking", actions: "clearFailure" },
        ],
      },
    },
    unlocking: {
      tags: "locked",
      invoke: {
        src: "open",
        // The passphrase is stored only in the input and in this call.
        input: ({ event }) => {
          assertEvent(event, "passphrase.entered");
          return { passphrase: event.passphrase };
        },
        onDone: [{ guard: withOutput("isLocked"), target: "locked" }, { target: "shown" }],
        onError: [
          { guard: withEvent("isTampered"), target: "broken" },
          { guard: withEvent("isGone"), target: "gone" },
          { target: "locked", actions: withEvent("assignFailure") },
        ],
      },
    },
    shown: {
      exit: "forget",
      initial: "resting",
      states: {
        resting: {
          on: { "access.lapsed": "checking", "sound.requested": { target: "fetchingSound", actions: "clearFailure" } },
        },
        /** The shown content stays until the answer, and also without an answer. */
        checking: {
          invoke: {
            src: "open",
            input: {},
            onDone: [{ guard: withOutput("isLocked"), target: "#visit.locked" }, { target: "resting" }],
            onError: [{ guard: withEvent("isGone"), target: "#visit.gone" }, { target: "resting" }],
          },
        },
        fetchingSound: {
          on: { "cancel.requested": "resting" },
          invoke: {
            src: "fetchSound",
            onDone: "playing",
            onError: [
              { guard: withEvent("isGone"), target: "#visit.gone" },
              { target: "resting", actions: withEvent("assignFailure") },
            ],
          },
        },
        playing: {},
      },
    },
    gone: {},
    /** The address is incomplete or changed: its key does not fit. */
    broken: {},
  },
});

export type VisitActor = ActorRefFrom<typeof visitMachine>;
type Snapshot = SnapshotFrom<typeof visitMachine>;

export const selectIsOpening = (snapshot: Snapshot): boolean => snapshot.matches("loading");
/** Whether the visitor must enter the passphrase, or it is being checked. */
export const selectIsLocked = (snapshot: Snapshot): boolean => snapshot.hasTag("locked");
export const selectIsUnlocking = (snapshot: Snapshot): boolean => snapshot.matches("unlocking");
/** Whether the link does not exist or is no longer valid. */
export const selectIsGone = (snapshot: Snapshot): boolean => snapshot.matches("gone");
export const selectIsBroken = (snapshot: Snapshot): boolean => snapshot.matches("broken");
export const selectIsShown = (snapshot: Snapshot): boolean => snapshot.matches("shown");
/** Whether the audio is loading. */
export const selectIsSoundFetched = (snapshot: Snapshot): boolean => snapshot.matches({ shown: "fetchingSound" });
/** Why loading failed; null if it did not. */
export const selectLoadFailure = (snapshot: Snapshot): string | null =>
  snapshot.matches("failed") ? snapshot.context.failure : null;
/** Why the passphrase was refused: an error code or `noPassphrase`; null before the first attempt. */
export const selectRefusal = (snapshot: Snapshot): string | null => (snapshot.hasTag("locked") ? snapshot.context.failure : null);
/** Why the audio could not be loaded. */
export const selectSoundFailure = (snapshot: Snapshot): string | null =>
  selectIsShown(snapshot) ? snapshot.context.failure : null;
