import type { TranscriptionRow } from "./queries.ts";

/**
 * Largest size of spoken text: a constant per recording, and an amount per second, including words, times and
 * translations (bytes).
 */
const [maxOfRecording, maxOfSecond] = [20_000, 2_000];

/** The largest texts that a recording can contain. @param seconds of sound @returns bytes */
export const maxSpoken = (seconds: number): number => maxOfRecording + seconds * maxOfSecond;

/**
 * Whether a recording can contain texts of this size. If so, they are stored even beyond the quota.
 * @param seconds of sound on the server
 */
export function isSpoken(texts: readonly string[], seconds: number): boolean {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return seconds > 0 && bytes <= maxSpoken(seconds);
}

/**
 * Seconds of dictation that the server has. For a text without sound, only the page states a duration, and hours of a
 * file may be silence.
 */
export const dictatedSeconds = ({
  origin,
  audio_type,
  duration_seconds,
}: Pick<TranscriptionRow, "origin" | "audio_type" | "duration_seconds">): number =>
  origin !== "dictation" || audio_type === null ? 0 : (duration_seconds ?? 0);
