import type { ActorRefFrom, SnapshotFrom } from "xstate";
import type { HeardBy } from "#contract/index.ts";
import { type RecorderLeftover, type RecorderSource, recorderPhases } from "./events.ts";
import type { recorderMachine } from "./machine.ts";
import { isHopeless, type RecognitionProblem } from "./recognition/rules.ts";
import { sourceOf } from "./rules.ts";

export type RecorderActor = ActorRefFrom<typeof recorderMachine>;
type Snapshot = SnapshotFrom<typeof recorderMachine>;

/** The recorder's state, named as in the locale files (`speech.state.*`). */
export type RecorderPhase = (typeof recorderPhases)[number] | "checking" | "reconnecting" | "finishingOffline";

export function selectPhase(snapshot: Snapshot): RecorderPhase {
  const phase = recorderPhases.find((tag) => snapshot.hasTag(tag)) ?? "checking";
  if (!snapshot.hasTag("disconnected")) return phase;
  if (phase === "recording") return "reconnecting";
  return phase === "finishing" ? "finishingOffline" : phase;
}

/** The microphone is open. */
export const selectIsCapturing = (snapshot: Snapshot): boolean =>
  snapshot.matches({ working: { session: { work: "capturing" } } });
/**
 * Somebody speaks, or the last words are being written down, saved and shown as a transcript: nothing else is of
 * interest.
 */
export const selectIsUnderWay = (snapshot: Snapshot): boolean =>
  snapshot.matches({ working: "session" }) || snapshot.matches({ working: "saving" }) || snapshot.matches({ working: "opening" });
/**
 * Whether the recording fills the page: from pressing the button, before there is any audio, until it is saved or
 * discarded.
 */
export const selectFillsPage = (snapshot: Snapshot): boolean =>
  selectIsUnderWay(snapshot) || ["requestingMicrophone", "kept"].includes(selectPhase(snapshot));
export const selectCanPause = (snapshot: Snapshot): boolean => snapshot.can({ type: "pause.requested" });
export const selectIsPaused = (snapshot: Snapshot): boolean => snapshot.hasTag("paused");
/** Whether the audio does not reach the server at the moment. It is stored in this browser. */
export const selectIsOffline = (snapshot: Snapshot): boolean =>
  snapshot.hasTag("disconnected") && snapshot.matches({ working: "session" });
/** A recording may be started: nothing is under way. */
export const selectCanStart = (snapshot: Snapshot): boolean => snapshot.matches("resting");
export const selectCanStop = (snapshot: Snapshot): boolean => snapshot.can({ type: "stop.requested" });
export const selectCanRetry = (snapshot: Snapshot): boolean => snapshot.can({ type: "retry.requested" });
/**
 * An error code of the contract, or the microphone's "refused", "missing", "busy" or "unsupported"; null unless it
 * failed.
 */
export const selectFailure = (snapshot: Snapshot): string | null =>
  snapshot.matches({ resting: "failed" }) ? snapshot.context.failure : null;
/** The words are there, but not saved on the server. */
export const selectIsSaveFailed = (snapshot: Snapshot): boolean =>
  snapshot.matches({ resting: { failed: "saving" } }) || snapshot.matches({ resting: { failed: "savingUnsaved" } });
/** Recordings that can be finished or discarded now; the same array until that changes. */
export const selectLeftovers = (snapshot: Snapshot): readonly RecorderLeftover[] =>
  snapshot.matches("resting") ? snapshot.context.leftovers : none;
const none: readonly RecorderLeftover[] = [];
/** The transcription's id; null before it exists, or if the server has made it from an interrupted recording. */
export const selectSavedId = (snapshot: Snapshot): string | null => snapshot.context.savedId;
export const selectStorageTrouble = (snapshot: Snapshot): boolean => snapshot.context.storageTrouble;
export const selectWasUnplugged = (snapshot: Snapshot): boolean => snapshot.context.unplugged;
/** The recording ended because the sharing of a tab or of the screen did. */
export const selectHasDisplayEnded = (snapshot: Snapshot): boolean => snapshot.context.displayEnded;
/** Whether the shared audio has been silent for a while. */
export const selectIsSilent = (snapshot: Snapshot): boolean => snapshot.context.isSilent;
/** The source that the person chose for the next recording. */
export const selectChosenSource = (snapshot: Snapshot): RecorderSource => snapshot.context.source;
/** The source of the open recording, or of the last one. */
export const selectSource = (snapshot: Snapshot): RecorderSource => sourceOf(snapshot.context);
/** The free minutes ran out during the last recording, which ended there. */
export const selectEndedAtLimit = (snapshot: Snapshot): boolean => snapshot.context.limitReached;
/** … or it had been silent for too long. */
export const selectEndedInSilence = (snapshot: Snapshot): boolean =>
  snapshot.context.limitReached && snapshot.context.endedInSilence;
/** The language of the translation; null for none. */
export const selectTargetLanguage = (snapshot: Snapshot): string | null => snapshot.context.languages.targetLanguage;
export const selectSourceLanguage = (snapshot: Snapshot): string => snapshot.context.languages.sourceLanguage;
/** The recognizer of the open recording if it is not the server; null: the server. */
export const selectRecognizedBy = (snapshot: Snapshot): HeardBy | null => snapshot.context.recognizedBy;
/** Whether the open recording, or the last one, stays on this device until the person saves it. */
export const selectStaysHere = (snapshot: Snapshot): boolean => snapshot.context.languages.staysHere === true;
/** The person is asked whether a recording that is only on this device is thrown away. */
export const selectIsDiscardAsked = (snapshot: Snapshot): boolean => snapshot.matches({ kept: "asking" });
/**
 * The problem of that recognizer during the recording, or the one that ended the last recording; null if there was
 * none.
 */
export function selectRecognitionProblem(snapshot: Snapshot): RecognitionProblem | null {
  const { recognitionProblem: problem } = snapshot.context;
  return problem !== null && (isHopeless(problem) || selectIsCapturing(snapshot)) ? problem : null;
}
