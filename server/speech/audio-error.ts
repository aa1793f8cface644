/** A file that can't be decoded; `code` is the key of the text (contract/error.ts). */
export class AudioError extends Error {
  readonly code: "notAudio" | "emptyFile" | "noSound" | "truncated" | "tooLong" | "internal";
  /** With `tooLong`: the duration in the header, in seconds; undefined when that is not plausible. */
  readonly saidSeconds: number | undefined;
  constructor(code: AudioError["code"], message: string, options: ErrorOptions & { saidSeconds?: number | undefined } = {}) {
    super(message, options);
    this.name = "AudioError";
    this.code = code;
    this.saidSeconds = options.saidSeconds;
  }
}

/** Only this much of the end of ffmpeg's stderr is kept (characters). */
export const complaintLimit = 4_000;

/** ffmpeg's messages contain the file's path, which must not be matched as an error message. */
export function withoutPath(complaint: string, input: string): string {
  return complaint.replaceAll(input.replace(/^file:/, ""), "");
}

/** ffmpeg's messages about truncated files. */
const cutOff =
  /truncat|partial file|moov atom not found|end of file|ended prematurely|incomplete|packet corrupt|corrupt input packet/i;

/** Whether a complaint says that the file ends before its end. */
export const saysCutOff = (complaint: string): boolean => cutOff.test(complaint);

/** That says nothing about the file: decoding it is tried again. */
export function killedByOthers(): AudioError {
  return new AudioError("internal", "ffmpeg was killed from outside.");
}

export function notInstalled(): AudioError {
  return new AudioError("internal", "ffmpeg could not be started. Install it: apt-get install ffmpeg");
}
