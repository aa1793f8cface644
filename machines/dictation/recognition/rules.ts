/** The problems of a recognizer in the browser; named as in the locale files (`dictation:problem.*`). */
export type RecognitionProblem =
  /** It recognizes nothing, can't reach its service, or was interrupted: it is restarted. */
  | "noSpeech"
  | "network"
  | "aborted"
  | "audioCapture"
  /** Starting again can't change these. */
  | "notAllowed"
  | "serviceNotAllowed"
  | "languageNotSupported"
  | "consentWithdrawn"
  | "unsupported"
  /**
   * The model on this device: the words come after the end of the recording, or from the server if it can't recognize
   * all of it.
   */
  | "deviceLater"
  | "deviceFailed";

/** The problems by error code of the Web Speech API (SpeechRecognitionErrorEvent.error). */
const byCode = new Map<string, RecognitionProblem>([
  ["no-speech", "noSpeech"],
  ["network", "network"],
  ["audio-capture", "audioCapture"],
  ["not-allowed", "notAllowed"],
  ["service-not-allowed", "serviceNotAllowed"],
  ["language-not-supported", "languageNotSupported"],
]);

/** @param code SpeechRecognitionErrorEvent.error; an unknown code counts as an interruption */
export const problemOf = (code: string): RecognitionProblem => byCode.get(code) ?? "aborted";

const hopeless: ReadonlySet<RecognitionProblem> = new Set([
  "notAllowed",
  "serviceNotAllowed",
  "languageNotSupported",
  "consentWithdrawn",
  "unsupported",
  "deviceFailed",
]);

export const isHopeless = (problem: RecognitionProblem): boolean => hopeless.has(problem);

/** Time limit for the last words after the person has stopped (ms). */
export const lastWordsMs = 4_000;
