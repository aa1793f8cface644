import { assign, emit, fromCallback, fromPromise, type SnapshotFrom, setup } from "xstate";
import type { VoiceProfile, VoiceProfilesAnswer } from "#contract/index.ts";
import { codeOf, isGone, isNotOffered } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { present } from "#machines/present.ts";
import type { VoiceProfileChange, VoiceProfilesEmitted, VoiceProfilesEvent } from "./events.ts";

interface VoiceProfilesContext {
  /** As the server has them; null before they are loaded. */
  known: VoiceProfilesAnswer | null;
  /** What is being confirmed or made; null for nothing. */
  change: VoiceProfileChange | null;
  /** How many changes were made since the page was opened. */
  changes: number;
  /** Why the last change failed: an error code of the contract; null unless it did. */
  failure: string | null;
  /** Why loading failed: an error code of the contract. */
  loadError: string | null;
}

interface Failed {
  error: unknown;
}
interface Answered {
  output: VoiceProfilesAnswer;
}

/** The voices that a person has named: switched on and off, renamed, deleted; what can't be undone is asked for first. */
export const voiceProfilesMachine = setup({
  types: {
    context: {} as VoiceProfilesContext,
    events: {} as VoiceProfilesEvent,
    emitted: {} as VoiceProfilesEmitted,
    /** The server does not know voice profiles. */
    tags: {} as "unavailable",
  },
  actors: {
    load: fromPromise<VoiceProfilesAnswer>(async () => notProvided("load")),
    /** Rejects with the code `notFound` for a profile that was deleted elsewhere, with `conflict` for a name that another one has. */
    perform: fromPromise<VoiceProfilesAnswer, VoiceProfileChange>(async () => notProvided("perform")),
    wakeUps: fromCallback<VoiceProfilesEvent>(() => notProvided("wakeUps")),
  },
  actions: {
    keep: assign((_, { output }: Answered) => ({ known: output, loadError: null })),
    countChange: assign({ changes: ({ context }) => context.changes + 1 }),
    keepLoadError: assign({ loadError: (_, { error }: Failed) => codeOf(error) }),
    keepChange: assign((_, { change }: { change: VoiceProfileChange }) => ({ change, failure: null })),
    dropChange: assign({ change: null }),
    keepFailure: assign({ failure: (_, { error }: Failed) => codeOf(error) }),
    emitDone: emit(
      ({ context }): VoiceProfilesEmitted => ({ type: "change.done", change: present(context.change, "the change") }),
    ),
  },
  guards: {
    isNotOffered: (_, { error }: Failed) => isNotOffered(error),
    isGone: (_, { error }: Failed) => isGone(error),
    /** It deletes voice prints, which only new recordings bring back. */
    deletes: (_, { change }: { change: VoiceProfileChange }) => ["switchOff", "remove", "removeAll"].includes(change.kind),
  },
}).createMachine({
  id: "voiceProfiles",
  context: { known: null, change: null, changes: 0, failure: null, loadError: null },
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
            "change.requested": [
              {
                guard: { type: "deletes", params: ({ event }) => event },
                target: "asking",
                actions: { type: "keepChange", params: ({ event }) => event },
              },
              { target: "changing", actions: { type: "keepChange", params: ({ event }) => event } },
            ],
          },
          states: {
            // Another tab may have changed them meanwhile, or a name in a transcript.
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
        asking: {
          on: { "change.confirmed": "changing", "change.dismissed": { target: "idle", actions: "dropChange" } },
        },
        changing: {
          invoke: {
            src: "perform",
            input: ({ context }) => present(context.change, "the change"),
            onDone: {
              target: "idle",
              actions: [{ type: "keep", params: ({ event }) => event }, "countChange", "emitDone", "dropChange"],
            },
            onError: [
              {
                // Deleted elsewhere: what is shown is old.
                guard: { type: "isGone", params: ({ event }) => event },
                target: "idle.refreshing",
                actions: [{ type: "keepFailure", params: ({ event }) => event }, "dropChange"],
              },
              { target: "idle", actions: [{ type: "keepFailure", params: ({ event }) => event }, "dropChange"] },
            ],
          },
        },
      },
    },
  },
});

type Snapshot = SnapshotFrom<typeof voiceProfilesMachine>;

const noProfiles: readonly VoiceProfile[] = [];

/** Nothing is kept, and nothing could be; but what somebody has just changed stays in sight. */
export const selectIsUnavailable = (snapshot: Snapshot): boolean => {
  const { known, changes } = snapshot.context;
  return snapshot.hasTag("unavailable") || (known !== null && !known.available && !known.enabled && changes === 0);
};
export const selectIsLoading = (snapshot: Snapshot): boolean => snapshot.matches("loading");
/** An error code of the contract; null unless loading failed. */
export const selectLoadError = (snapshot: Snapshot): string | null =>
  snapshot.matches("failed") ? snapshot.context.loadError : null;
/** Whether voices are kept; null before it is known. */
export const selectIsEnabled = (snapshot: Snapshot): boolean | null => snapshot.context.known?.enabled ?? null;
/** Whether this server can tell voices apart. */
export const selectCanHear = (snapshot: Snapshot): boolean => snapshot.context.known?.available === true;
/** By name. */
export const selectProfiles = (snapshot: Snapshot): readonly VoiceProfile[] => snapshot.context.known?.profiles ?? noProfiles;
/** The change that waits for a yes; null for none. */
export const selectAsked = (snapshot: Snapshot): VoiceProfileChange | null =>
  snapshot.matches({ open: "asking" }) ? snapshot.context.change : null;
/** The change that is being made; null for none. */
export const selectChanging = (snapshot: Snapshot): VoiceProfileChange | null =>
  snapshot.matches({ open: "changing" }) ? snapshot.context.change : null;
/** How many changes were made since the page was opened. */
export const selectChanges = (snapshot: Snapshot): number => snapshot.context.changes;
/** Why the last change failed: an error code of the contract; null unless it did. */
export const selectFailure = (snapshot: Snapshot): string | null => snapshot.context.failure;
