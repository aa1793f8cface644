import { type ActorRefFrom, assertEvent, assign, fromCallback, fromPromise, type SnapshotFrom, setup } from "xstate";
import { codeOf, type Failed, isGone, isNotOffered } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";

/** What a visitor does, and what happens to the page of a link. */
export type VisitEvent =
  | { type: "passphrase.entered"; passphrase: string }
  | { type: "retry.requested" }
  /** The server plays or saves nothing any more: the page finds out why. */
  | { type: "access.lapsed" }
  /** The sound of a recording is wanted, or not any more while it is fetched. */
  | { type: "sound.requested" }
  | { type: "cancel.requested" }
  /** The actor `wakeUps`: the network is back, or the page is visible again. */
  | { type: "page.resumed" };

interface VisitContext {
  /** Why it could not be opened, or unlocked, or its sound not be fetched: a code, or `noPassphrase`; null unless it could not. */
  failure: string | null;
}

/** The actor `open` adds the address, which no machine has. */
export interface Opening {
  passphrase?: string;
}

/**
 * The page of a link, as a visitor sees it: opened with the passphrase that may be asked for, shown, and gone when the link is. A link that
 * was revoked, has ended or never was is one state: nobody can tell them apart. What is shown is kept beside the machine.
 */
export const visitMachine = setup({
  types: {
    context: {} as VisitContext,
    events: {} as VisitEvent,
    /** The passphrase is asked for, or being tried. */
    tags: {} as "locked",
  },
  actors: {
    /**
     * Keeps what the link shows, unless it is locked. Rejects with `notFound` for a link that does not open, `wrongPassword` and
     * `tooManyRequests`; where the browser decrypts, with `noKey`, `wrongPassphrase` (or the key is wrong) and `tampered`, among others.
     */
    open: fromPromise<{ locked: boolean }, Opening>(async () => notProvided("open")),
    /** Fetches all of a recording's sound and decrypts it: nothing tampered with is played. */
    fetchSound: fromPromise<void>(async () => notProvided("fetchSound")),
    wakeUps: fromCallback<VisitEvent>(() => notProvided("wakeUps")),
  },
  actions: {
    /** Discards what is shown. */
    forget: () => notProvided("forget"),
    assignFailure: assign({ failure: (_, { error }: Failed) => codeOf(error) }),
    refuseNothing: assign({ failure: "noPassphrase" }),
    clearFailure: assign({ failure: null }),
  },
  guards: {
    isLocked: (_, { locked }: { locked: boolean }) => locked,
    // A server without links has none at this address either.
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
        // Kept nowhere: it is in the field, and in this call.
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
        /** What is read stays until the answer, and if there is none. */
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
    /** The address is cut off or changed: its key opens nothing. */
    broken: {},
  },
});

export type VisitActor = ActorRefFrom<typeof visitMachine>;
type Snapshot = SnapshotFrom<typeof visitMachine>;

export const selectIsOpening = (snapshot: Snapshot): boolean => snapshot.matches("loading");
/** The passphrase is asked for, or being tried. */
export const selectIsLocked = (snapshot: Snapshot): boolean => snapshot.hasTag("locked");
export const selectIsUnlocking = (snapshot: Snapshot): boolean => snapshot.matches("unlocking");
/** It opens nothing, or nothing any more. */
export const selectIsGone = (snapshot: Snapshot): boolean => snapshot.matches("gone");
export const selectIsBroken = (snapshot: Snapshot): boolean => snapshot.matches("broken");
export const selectIsShown = (snapshot: Snapshot): boolean => snapshot.matches("shown");
/** The sound is on its way. */
export const selectIsSoundFetched = (snapshot: Snapshot): boolean => snapshot.matches({ shown: "fetchingSound" });
/** Why it could not be loaded; null unless it could not. */
export const selectLoadFailure = (snapshot: Snapshot): string | null =>
  snapshot.matches("failed") ? snapshot.context.failure : null;
/** Why the passphrase does not open it: a code, or `noPassphrase`; null before it was tried. */
export const selectRefusal = (snapshot: Snapshot): string | null => (snapshot.hasTag("locked") ? snapshot.context.failure : null);
/** Why the sound could not be had. */
export const selectSoundFailure = (snapshot: Snapshot): string | null =>
  selectIsShown(snapshot) ? snapshot.context.failure : null;
