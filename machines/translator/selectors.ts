import type { ActorRefFrom, SnapshotFrom } from "xstate";
import type { Side } from "./events.ts";
import type { translatorMachine } from "./machine.ts";

export type TranslatorActor = ActorRefFrom<typeof translatorMachine>;
type Snapshot = SnapshotFrom<typeof translatorMachine>;

/** Where a conversation is, in the words of the locale files (`status.*`); each has its picture. */
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

const resting = ["limited", "speaking", "replaying", "nothingHeard", "failed"] as const;
const turning = ["askingForMicrophone", "listening", "paused", "offline", "transcribing"] as const;

export function selectStatus(snapshot: Snapshot): TranslatorStatus {
  if (snapshot.matches("composing") || snapshot.matches({ turn: "translating" })) return "translating";
  const turned = turning.find((state) => snapshot.matches({ turn: state }));
  return turned ?? resting.find((state) => snapshot.matches({ rest: state })) ?? "idle";
}

/** Who spoke last, or speaks. */
export const selectSide = (snapshot: Snapshot): Side => snapshot.context.side;
/** A recording is under way, or what is typed is being translated: what is shown is not kept yet. */
export const selectIsUnderWay = (snapshot: Snapshot): boolean => snapshot.matches("turn") || snapshot.matches("composing");
/** Somebody may begin to speak. */
export const selectCanSpeak = (snapshot: Snapshot): boolean =>
  !snapshot.context.isUsedUp && snapshot.can({ type: "speak.requested", side: 0 });
export const selectCanType = (snapshot: Snapshot): boolean => snapshot.can({ type: "text.submitted", side: 0, text: "" });
/** A turn may be heard again. */
export const selectCanReplay = (snapshot: Snapshot): boolean => snapshot.can({ type: "replay.requested", turnId: "" });
export const selectCanRetry = (snapshot: Snapshot): boolean => snapshot.can({ type: "retry.requested" });
/** The turn that is being heard again; null for none, and for the one that was just spoken. */
export const selectHeardTurn = (snapshot: Snapshot): string | null =>
  snapshot.matches({ rest: "speaking" }) || snapshot.matches({ rest: "replaying" }) ? snapshot.context.turnId : null;
/** Why it failed: an error code of the contract or one of the microphone's problems; null when it has not. */
export const selectTurnFailure = (snapshot: Snapshot): string | null =>
  snapshot.matches({ rest: "failed" }) ? snapshot.context.failure : null;
/** Why nothing was heard the last time something should have been spoken or played. */
export const selectVoiceFailure = (snapshot: Snapshot): string | null => snapshot.context.voiceFailure;
/** What was typed and is being translated, or could not be. */
export const selectTypedText = (snapshot: Snapshot): string | null => snapshot.context.typed?.text ?? null;
