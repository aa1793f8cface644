/** Why nothing can be recorded; texts `app:speech.microphone.*`. The last four are what the browser lacks. */
export const microphoneProblems = [
  "refused",
  "missing",
  "busy",
  "unsupported",
  "insecure",
  "noGetUserMedia",
  "noAudioWorklet",
  "noMediaRecorder",
] as const;

export type MicrophoneProblem = (typeof microphoneProblems)[number];

/** Those that trying again in this browser, at this address, does not solve. */
const lacking: readonly MicrophoneProblem[] = ["unsupported", "insecure", "noGetUserMedia", "noAudioWorklet", "noMediaRecorder"];

export class MicrophoneError extends Error {
  readonly code: MicrophoneProblem;
  constructor(code: MicrophoneProblem) {
    super(`The microphone can't be used: ${code}`);
    this.code = code;
  }
}

/**
 * The key of a failure's text.
 * @param code a problem of the microphone, or an error code of the contract
 */
export function failureKey(code: string): string {
  return microphoneProblems.some((problem) => problem === code) ? `app:speech.microphone.${code}` : `errors.${code}`;
}

/** Whether the browser, or the page's address, is the reason: a file can be uploaded all the same. */
export const isLacking = (code: string): boolean => lacking.some((problem) => problem === code);

/** What hears besides getUserMedia, by the name of its global. */
const parts = { AudioWorkletNode: "noAudioWorklet", MediaRecorder: "noMediaRecorder" } as const;

/**
 * Names what the browser lacks, before it is asked for the microphone.
 * @param part what the sound is to be recorded with
 * @throws MicrophoneError
 */
export function assertCanRecord(part: keyof typeof parts): void {
  const hasMicrophones = Boolean(globalThis.navigator.mediaDevices?.getUserMedia);
  if (hasMicrophones && part in globalThis) return;
  // Without https, browsers hide both: another browser would not help.
  if (!globalThis.isSecureContext) throw new MicrophoneError("insecure");
  throw new MicrophoneError(hasMicrophones ? parts[part] : "noGetUserMedia");
}

/** By the names of getUserMedia's exceptions (Media Capture and Streams, section 10.2). */
const byName: Readonly<Record<string, MicrophoneProblem>> = {
  NotAllowedError: "refused",
  SecurityError: "refused",
  NotReadableError: "busy",
  AbortError: "busy",
  TypeError: "unsupported",
};

/** @param error what getUserMedia has thrown */
export function microphoneError(error: unknown): MicrophoneError {
  return new MicrophoneError(byName[error instanceof Error ? error.name : ""] ?? "missing");
}
