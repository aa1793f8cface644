import { type ActorRefFrom, assertEvent, assign, fromCallback, fromPromise, type SnapshotFrom, setup } from "xstate";
import { codeOf, isGone, isNotOffered } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";

/** What a visitor does, and what happens to the page of a link to a recording in a vault. */
export type RecordingVisitEvent =
  | { type: "passphrase.entered"; passphrase: string }
  | { type: "retry.requested" }
  /** The sound is wanted, or not any more while it is fetched. */
  | { type: "sound.requested" }
  | { type: "cancel.requested" }
  /** The actor `wakeUps`: the network is back, or the page is visible again. */
  | { type: "page.resumed" };

interface RecordingVisitContext {
  /** Why it could not be opened, or unlocked, or its sound not be fetched: a code; null unless it could not. */
  failure: string | null;
}

interface Failed {
  error: unknown;
}

/**
 * The page of a link to a recording in a vault: what it shows is opened in the browser, with the passphrase that may be asked for, and the
 * sound fetched and decrypted when it is wanted. What opens it, and what is opened, is beside the machine.
 */
export const recordingVisitMachine = setup({
  types: {
    context: {} as RecordingVisitContext,
    events: {} as RecordingVisitEvent,
    /** The passphrase is asked for, or being tried. */
    tags: {} as "locked",
  },
  actors: {
    /** Fetches what is sealed. Rejects with `notFound` for a link that does not open, and `noKey` for an address that is cut off. */
    fetch: fromPromise<{ locked: boolean }>(async () => notProvided("fetch")),
    /** Opens it here. Rejects with `wrongPassphrase`: or the key is wrong. */
    unseal: fromPromise<void, { passphrase: string | null }>(async () => notProvided("unseal")),
    /** Fetches all of the sound and decrypts it: nothing tampered with is played. */
    fetchSound: fromPromise<void>(async () => notProvided("fetchSound")),
    wakeUps: fromCallback<RecordingVisitEvent>(() => notProvided("wakeUps")),
  },
  actions: {
    /** Discards all that was decrypted. */
    forget: () => notProvided("forget"),
    keepFailure: assign({ failure: (_, { error }: Failed) => codeOf(error) }),
    refuseNothing: assign({ failure: "noPassphrase" }),
    clearFailure: assign({ failure: null }),
  },
  guards: {
    isLocked: (_, { output }: { output: { locked: boolean } }) => output.locked,
    isGone: (_, { error }: Failed) => isGone(error) || isNotOffered(error),
    isBroken: (_, { error }: Failed) => ["noKey", "wrongPassphrase", "tampered"].includes(codeOf(error)),
    isTampered: (_, { error }: Failed) => codeOf(error) === "tampered",
    isNothing: (_, { passphrase }: { passphrase: string }) => passphrase === "",
  },
}).createMachine({
  id: "recordingVisit",
  context: { failure: null },
  initial: "fetching",
  states: {
    fetching: {
      invoke: {
        src: "fetch",
        onDone: [
          { guard: { type: "isLocked", params: ({ event }) => event }, target: "locked", actions: "clearFailure" },
          { target: "opening", actions: "clearFailure" },
        ],
        onError: [
          { guard: { type: "isBroken", params: ({ event }) => event }, target: "broken" },
          { guard: { type: "isGone", params: ({ event }) => event }, target: "gone" },
          { target: "failed", actions: { type: "keepFailure", params: ({ event }) => event } },
        ],
      },
    },
    failed: { invoke: { src: "wakeUps" }, on: { "retry.requested": "fetching", "page.resumed": "fetching" } },
    /** The key in the address opens it, or nothing does. */
    opening: {
      invoke: {
        src: "unseal",
        input: { passphrase: null },
        onDone: "shown",
        onError: [
          { guard: { type: "isBroken", params: ({ event }) => event }, target: "broken" },
          { target: "failed", actions: { type: "keepFailure", params: ({ event }) => event } },
        ],
      },
    },
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
        src: "unseal",
        id: "unlock",
        // Kept nowhere: it is in the field, and in this call.
        input: ({ event }) => {
          assertEvent(event, "passphrase.entered");
          return { passphrase: event.passphrase };
        },
        onDone: "shown",
        onError: [
          { guard: { type: "isTampered", params: ({ event }) => event }, target: "broken" },
          { target: "locked", actions: { type: "keepFailure", params: ({ event }) => event } },
        ],
      },
    },
    shown: {
      exit: "forget",
      initial: "resting",
      states: {
        resting: { on: { "sound.requested": { target: "fetchingSound", actions: "clearFailure" } } },
        fetchingSound: {
          on: { "cancel.requested": "resting" },
          invoke: {
            src: "fetchSound",
            onDone: "playing",
            onError: [
              { guard: { type: "isGone", params: ({ event }) => event }, target: "#recordingVisit.gone" },
              { target: "resting", actions: { type: "keepFailure", params: ({ event }) => event } },
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

export type RecordingVisitActor = ActorRefFrom<typeof recordingVisitMachine>;
type Snapshot = SnapshotFrom<typeof recordingVisitMachine>;

export const selectIsRecordingOpening = (snapshot: Snapshot): boolean =>
  snapshot.matches("fetching") || snapshot.matches("opening");
export const selectIsRecordingLocked = (snapshot: Snapshot): boolean => snapshot.hasTag("locked");
export const selectIsRecordingUnlocking = (snapshot: Snapshot): boolean => snapshot.matches("unlocking");
/** It opens nothing, or nothing any more. */
export const selectIsRecordingGone = (snapshot: Snapshot): boolean => snapshot.matches("gone");
export const selectIsRecordingBroken = (snapshot: Snapshot): boolean => snapshot.matches("broken");
export const selectIsRecordingShown = (snapshot: Snapshot): boolean => snapshot.matches("shown");
/** The sound is on its way. */
export const selectIsSoundFetched = (snapshot: Snapshot): boolean => snapshot.matches({ shown: "fetchingSound" });
/** Why it could not be loaded; null unless it could not. */
export const selectRecordingFailure = (snapshot: Snapshot): string | null =>
  snapshot.matches("failed") ? snapshot.context.failure : null;
/** Why the passphrase does not open it; null before it was tried. */
export const selectRecordingRefusal = (snapshot: Snapshot): string | null =>
  snapshot.hasTag("locked") ? snapshot.context.failure : null;
/** Why the sound could not be had. */
export const selectSoundFailure = (snapshot: Snapshot): string | null =>
  snapshot.matches("shown") ? snapshot.context.failure : null;
