/** Words with their times, their translation and its sides: more than this nobody says, in a recording and in a second of it (bytes). */
const [mostOfRecording, mostOfSecond] = [20_000, 2_000];

/** Whether texts may be what is said in a recording: that is saved also past the quota. @param seconds of the recording */
export function isSpoken(texts: readonly string[], seconds: number | null): boolean {
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  return bytes <= mostOfRecording + (seconds ?? 0) * mostOfSecond;
}
