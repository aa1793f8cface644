import type { TranscriptionRow } from "./queries.ts";

/** Nobody says more than this in a recording, and in each second of it: words, times and translations (bytes). */
const [maxOfRecording, maxOfSecond] = [20_000, 2_000];

/** The longest texts that a recording can contain. @param seconds of sound @returns bytes */
export const maxSpoken = (seconds: number): number => maxOfRecording + seconds * maxOfSecond;

/**
 * Whether a recording can contain texts of this length. If so, they are saved past the quota too.
 * @param seconds of sound on the server
 */
export function isSpoken(texts: readonly string[], seconds: number): boolean {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return seconds > 0 && bytes <= maxSpoken(seconds);
}

/**
 * How much of a dictation the server has (s). How long a text without sound lasts is only what the page says, and
 * hours of a file may be silence.
 */
export const dictatedSeconds = ({
  origin,
  audio_type,
  duration_seconds,
}: Pick<TranscriptionRow, "origin" | "audio_type" | "duration_seconds">): number =>
  origin !== "dictation" || audio_type === null ? 0 : (duration_seconds ?? 0);
