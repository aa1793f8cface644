/** Nobody says more than this in a recording, and in each second of it: words, times and translations (bytes). */
const [maxOfRecording, maxOfSecond] = [20_000, 2_000];

/**
 * Whether a recording can contain texts of this length. If so, they are saved past the quota too.
 * @param seconds of the recording
 */
export function isSpoken(texts: readonly string[], seconds: number | null): boolean {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return bytes <= maxOfRecording + (seconds ?? 0) * maxOfSecond;
}
