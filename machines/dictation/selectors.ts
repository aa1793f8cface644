import type { ActorRefFrom, SnapshotFrom } from "xstate";
import type { RecorderLeftover } from "./events.ts";
import type { recorderMachine } from "./machine.ts";

export type RecorderActor = ActorRefFrom<typeof recorderMachine>;
type Snapshot = SnapshotFrom<typeof recorderMachine>;

/** The recorder's state, named as in the locale files (`speech.state.*`). */
export type RecorderPhase =
  | "checking"
  | "idle"
  | "requestingMicrophone"
  | "recording"
  | "paused"
  | "reconnecting"
  | "stopping"
  | "finishing"
  | "finishingOffline"
  | "saving"
  | "saved"
  | "nothingHeard"
  | "failed";

export function selectPhase(snapshot: Snapshot): RecorderPhase {
  if (snapshot.matches({ resting: "idle" })) return "idle";
  if (snapshot.matches({ resting: "saved" })) return "saved";
  if (snapshot.matches({ resting: "failed" })) return "failed";
  if (snapshot.matches("requestingMicrophone")) return "requestingMicrophone";
  if (snapshot.matches("nothingHeard")) return "nothingHeard";
  if (snapshot.matches("saving") || snapshot.matches("savingUnsaved")) return "saving";
  if (!snapshot.matches("session")) return "checking";
  if (snapshot.matches({ session: { work: { capturing: "stopping" } } })) return "stopping";
  if (snapshot.matches({ session: { work: { capturing: "paused" } } })) return "paused";
  const lost = isLost(snapshot);
  if (snapshot.matches({ session: { work: "finishing" } })) return lost ? "finishingOffline" : "finishing";
  return lost ? "reconnecting" : "recording";
}

/** A connection that failed, or was lost and is not back yet; not the first one while it is being opened. */
function isLost(snapshot: Snapshot): boolean {
  return !snapshot.matches({ session: { connection: { connected: "online" } } }) && snapshot.context.attempts > 0;
}

/** The microphone is open. */
export const selectIsCapturing = (snapshot: Snapshot): boolean => snapshot.matches({ session: { work: "capturing" } });
/** A recording may be started: nothing is under way. */
export const selectCanStart = (snapshot: Snapshot): boolean => snapshot.matches("resting");
export const selectCanStop = (snapshot: Snapshot): boolean => snapshot.can({ type: "stop.requested" });
export const selectCanRetry = (snapshot: Snapshot): boolean => snapshot.can({ type: "retry.requested" });
/** An error code of the contract, or "refused", "missing", "busy", "unsupported" of the microphone; null unless it failed. */
export const selectFailure = (snapshot: Snapshot): string | null =>
  snapshot.matches({ resting: "failed" }) ? snapshot.context.failure : null;
/** The words are there, but not saved on the server. */
export const selectIsSaveFailed = (snapshot: Snapshot): boolean =>
  snapshot.matches({ resting: { failed: "saving" } }) || snapshot.matches({ resting: { failed: "savingUnsaved" } });
/** Recordings that can be finished or discarded now; the same array until that changes. */
export const selectLeftovers = (snapshot: Snapshot): readonly RecorderLeftover[] =>
  snapshot.matches("resting") ? snapshot.context.leftovers : none;
const none: readonly RecorderLeftover[] = [];
/** The transcription's id; null while there is none, or when the server has made it by itself. */
export const selectSavedId = (snapshot: Snapshot): string | null => snapshot.context.savedId;
export const selectStorageTrouble = (snapshot: Snapshot): boolean => snapshot.context.storageTrouble;
export const selectWasUnplugged = (snapshot: Snapshot): boolean => snapshot.context.unplugged;
/** The free minutes ran out during the last recording, which ended there. */
export const selectEndedAtLimit = (snapshot: Snapshot): boolean => snapshot.context.limitReached;
/** With a translation beside it. */
export const selectTargetLanguage = (snapshot: Snapshot): string | null => snapshot.context.languages.targetLanguage;
export const selectSourceLanguage = (snapshot: Snapshot): string => snapshot.context.languages.sourceLanguage;
