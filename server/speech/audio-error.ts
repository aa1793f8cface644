import type { ToolEnd } from "./ffmpeg.ts";

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

/** ffmpeg's messages contain the file's path, which must not be matched as an error message. */
export function withoutPath(complaint: string, input: string): string {
  return complaint.replaceAll(input.replace(/^file:/, ""), "");
}

/** ffmpeg's messages about truncated files. */
const cutOff =
  /truncat|partial file|moov atom not found|end of file|ended prematurely|incomplete|packet corrupt|corrupt input packet/i;

/** Whether a message of ffmpeg says that the file was cut off. */
export const saysCutOff = (complaint: string): boolean => cutOff.test(complaint);

/**
 * @throws AudioError when the tool is missing, was killed from outside (trying again may help), or timed out (with
 *   the message `late`)
 */
export function checkEnd({ isMissing, isSent, isKilled }: ToolEnd, late: string): void {
  if (isMissing) throw new AudioError("internal", "ffmpeg could not be started. Install it: apt-get install ffmpeg");
  if (isSent) throw new AudioError("internal", "Another program stopped ffmpeg.");
  if (isKilled) throw new AudioError("notAudio", late);
}
