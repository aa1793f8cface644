import type { ActorRefFrom, SnapshotFrom } from "xstate";
import type { RecorderPhase } from "#machines/dictation/selectors.ts";
import type { Side } from "./events.ts";
import type { translatorMachine } from "./machine.ts";

export type TranslatorActor = ActorRefFrom<typeof translatorMachine>;
type Snapshot = SnapshotFrom<typeof translatorMachine>;

/** The conversation's state, named as in the locale files (`status.*`); each has its icon. */
export type TranslatorStatus =
  | "idle"
  | "askingForMicrophone"
  | "listening"
  | "paused"
  | "offline"
  | "transcribing"
  | "translating"
  | "speaking"
  | "replaying"
  | "nothingHeard"
  | "limited"
  | "failed";

/** The status while the recorder is active. */
const statusOfPhase: Partial<Record<RecorderPhase, TranslatorStatus>> = {
  requestingMicrophone: "askingForMicrophone",
  recording: "listening",
  stopping: "listening",
  paused: "paused",
  reconnecting: "offline",
  finishingOffline: "offline",
  finishing: "transcribing",
  saving: "translating",
};
const tags = ["translating", "speaking", "replaying", "nothingHeard", "limited", "failed"] as const;

/** @param phase the recorder's state */
export function selectStatus(snapshot: Snapshot, phase: RecorderPhase): TranslatorStatus {
  if (snapshot.matches("turn")) return statusOfPhase[phase] ?? "idle";
  return tags.find((tag) => snapshot.hasTag(tag)) ?? "idle";
}

/** The last or current speaker. */
export const selectSide = (snapshot: Snapshot): Side => snapshot.context.side;
/** Whether a recording is in progress, or typed text is being translated: the shown text is not stored yet. */
export const selectIsUnderWay = (snapshot: Snapshot): boolean => snapshot.hasTag("underWay");
/** Whether a turn is being recorded or finished. */
export const selectIsRecorded = (snapshot: Snapshot): boolean => snapshot.matches("turn");
/** Whether Stop has an effect: on a recording, or on playback. */
export const selectIsBusy = (snapshot: Snapshot): boolean =>
  snapshot.matches("turn") || snapshot.hasTag("speaking") || snapshot.hasTag("replaying");
/** A side may begin to speak. */
export const selectCanSpeak = (snapshot: Snapshot): boolean =>
  !snapshot.context.isUsedUp && snapshot.can({ type: "speak.requested", side: 0 });
export const selectCanType = (snapshot: Snapshot): boolean => snapshot.can({ type: "text.submitted", side: 0, text: "" });
/** A turn may be replayed. */
export const selectCanReplay = (snapshot: Snapshot): boolean => snapshot.can({ type: "replay.requested", turnId: "" });
export const selectCanRetry = (snapshot: Snapshot): boolean => snapshot.can({ type: "retry.requested" });
/** The turn being replayed; null for none, and for the one just spoken. */
export const selectPlayedTurn = (snapshot: Snapshot): string | null =>
  snapshot.hasTag("speaking") || snapshot.hasTag("replaying") ? snapshot.context.turnId : null;
/** Why it failed: an error code of the contract or one of the microphone's problems; null when it has not. */
export const selectTurnFailure = (snapshot: Snapshot): string | null =>
  snapshot.hasTag("failed") ? snapshot.context.failure : null;
/** Why the last speech or playback failed. */
export const selectVoiceFailure = (snapshot: Snapshot): string | null => snapshot.context.voiceFailure;
/** Typed text that is being translated, or whose translation failed. */
export const selectTypedText = (snapshot: Snapshot): string | null => snapshot.context.typed?.text ?? null;
