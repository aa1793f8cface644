/**
 * Why nothing can be recorded. Keys of the texts `app:speech.microphone.*`. The last four are missing browser features.
 */
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

/** Problems that a retry in this browser, at this address, can't solve. */
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

/** Whether the browser or the page's address is the cause. Then the user can still upload a file. */
export const isLacking = (code: string): boolean => lacking.some((problem) => problem === code);

/** The problem for each missing global besides getUserMedia. */
const parts = { AudioWorkletNode: "noAudioWorklet", MediaRecorder: "noMediaRecorder" } as const;

/**
 * Checks for missing browser features before the page asks for the microphone.
 * @param part the API that will record the audio
 * @throws MicrophoneError
 */
export function assertCanRecord(part: keyof typeof parts): void {
  const hasMicrophones = Boolean(globalThis.navigator.mediaDevices?.getUserMedia);
  if (hasMicrophones && part in globalThis) return;
  // Without https, every browser hides these APIs, so another browser would not help.
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

/** @param error thrown by getUserMedia */
export function microphoneError(error: unknown): MicrophoneError {
  return new MicrophoneError(byName[error instanceof Error ? error.name : ""] ?? "missing");
}
