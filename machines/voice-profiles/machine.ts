import { assign, emit, fromPromise, type SnapshotFrom, setup } from "xstate";
import type { VoiceProfile, VoiceProfilesAnswer } from "#contract/index.ts";
import { createLoading, type LoadingContext, type LoadingTag, selectIsUnavailable } from "#machines/collection/loading.ts";
import { notProvided } from "#machines/not-provided.ts";
import { present } from "#machines/present.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";
import type { VoiceProfileChange, VoiceProfilesEmitted, VoiceProfilesEvent } from "./events.ts";

interface VoiceProfilesContext extends LoadingContext<VoiceProfilesAnswer> {
  /** The change that is being confirmed or made; null for none. */
  change: VoiceProfileChange | null;
  /** The number of changes since the page was opened. */
  changes: number;
}

const loading = createLoading<VoiceProfilesAnswer, VoiceProfilesContext, VoiceProfilesEvent>();

/** The voice profiles of a person: switched on and off, renamed, deleted. What can't be undone needs a confirmation. */
export const voiceProfilesMachine = setup({
  types: {
    context: {} as VoiceProfilesContext,
    events: {} as VoiceProfilesEvent,
    emitted: {} as VoiceProfilesEmitted,
    tags: {} as LoadingTag,
  },
  actors: {
    ...loading.actors,
    /**
     * Rejects with the code `notFound` for a profile that was deleted elsewhere, and with `conflict` for a name in use.
     */
    perform: fromPromise<VoiceProfilesAnswer, VoiceProfileChange>(async () => notProvided("perform")),
  },
  actions: {
    ...loading.actions,
    countChange: assign({ changes: ({ context }) => context.changes + 1 }),
    assignChange: assign((_, { change }: { change: VoiceProfileChange }) => ({ change, failure: null })),
    dropChange: assign({ change: null }),
    emitDone: emit(
      ({ context }): VoiceProfilesEmitted => ({ type: "change.done", change: present(context.change, "the change") }),
    ),
  },
  guards: {
    ...loading.guards,
    /** Whether the change deletes voice prints, which only new recordings bring back. */
    deletes: (_, { change }: { change: VoiceProfileChange }) => ["switchOff", "remove", "removeAll"].includes(change.kind),
  },
}).createMachine({
  id: "voiceProfiles",
  context: { known: null, change: null, changes: 0, failure: null },
  initial: "loading",
  states: {
    ...loading.states,
    open: {
      initial: "idle",
      states: {
        idle: {
          ...loading.idle,
          on: {
            "change.requested": [
              { guard: withEvent("deletes"), target: "asking", actions: withEvent("assignChange") },
              { target: "changing", actions: withEvent("assignChange") },
            ],
          },
        },
        asking: {
          on: { "change.confirmed": "changing", "change.dismissed": { target: "idle", actions: "dropChange" } },
        },
        changing: {
          invoke: {
            src: "perform",
            input: ({ context }) => present(context.change, "the change"),
            onDone: { target: "idle", actions: [withOutput("assignKnown"), "countChange", "emitDone", "dropChange"] },
            // Another device deleted the profile, or the answer was lost: the list shown may be stale.
            onError: { target: "idle.refreshing", actions: [withEvent("assignFailure"), "dropChange"] },
          },
        },
      },
    },
  },
});

type Snapshot = SnapshotFrom<typeof voiceProfilesMachine>;

const noProfiles: readonly VoiceProfile[] = [];

/**
 * Whether the card has no use: the server can't tell voices apart and stores none. A change made just now keeps the
 * card in sight.
 */
export const selectIsUseless = (snapshot: Snapshot): boolean => {
  const { known, changes } = snapshot.context;
  return selectIsUnavailable(snapshot) || (known !== null && !known.available && !known.enabled && changes === 0);
};
/** Whether voice recognition is on; null before it is known. */
export const selectIsEnabled = (snapshot: Snapshot): boolean | null => snapshot.context.known?.enabled ?? null;
/** Whether this server can tell voices apart. */
export const selectIsAvailable = (snapshot: Snapshot): boolean => snapshot.context.known?.available === true;
/** Ordered by name. */
export const selectProfiles = (snapshot: Snapshot): readonly VoiceProfile[] => snapshot.context.known?.profiles ?? noProfiles;
/** The change that needs a confirmation; null for none. */
export const selectAsked = (snapshot: Snapshot): VoiceProfileChange | null =>
  snapshot.matches({ open: "asking" }) ? snapshot.context.change : null;
/** The change that is being made; null for none. */
export const selectChanging = (snapshot: Snapshot): VoiceProfileChange | null =>
  snapshot.matches({ open: "changing" }) ? snapshot.context.change : null;
/** The number of changes since the page was opened. */
export const selectChanges = (snapshot: Snapshot): number => snapshot.context.changes;
