import type { Peaks } from "#contract/index.ts";

/** A stretch of a recording, in seconds from its beginning. */
export interface Stretch {
  start: number;
  end: number;
}

/**
 * The place that stays where it is while the view zooms: its time (seconds) and its position in the view (0 is the
 * beginning, 1 the end).
 */
export interface Anchor {
  seconds: number;
  fraction: number;
}

/** Shorter pauses belong to speech (seconds). */
const shortestSilence = 1;
/**
 * The part of a skipped silence that is still played before and after it, because consonants begin softly (seconds).
 */
const kept = 0.2;

/**
 * The thresholds of silence, as fractions of levels (contract/waveform.ts: square roots of amplitudes). The loudest 2%
 * are speech. Noise is the level that at least a tenth of the time stays below. A pair is silent if it is at most 6 dB
 * above the noise, or at least 34 dB below speech; in a noisy room, never if it is less than 20 dB below speech.
 */
const speechFraction = 0.98;
const noiseFraction = 0.1;
const aboveNoise = 10 ** (6 / 40);
const belowSpeech = 10 ** (-34 / 40);
const wellBelowSpeech = 10 ** (-20 / 40);

/** The loudest level of a pair. */
export const levelAt = ({ levels }: Pick<Peaks, "levels">, pair: number): number =>
  Math.max(-(levels[2 * pair] ?? 0), levels[2 * pair + 1] ?? 0);

export const lengthOf = ({ levels, pairMs }: Peaks): number => ((levels.length / 2) * pairMs) / 1000;

/** The level that this fraction of all pairs stays below. */
function percentile(counts: readonly number[], total: number, fraction: number): number {
  let seen = 0;
  for (const [level, count] of counts.entries()) {
    seen += count;
    if (seen > total * fraction) return level;
  }
  return counts.length - 1;
}

/** Levels below this one are silent; 0 in a recording without any sound. */
function silentBelow(peaks: Peaks): number {
  const pairs = peaks.levels.length / 2;
  const counts = Array.from({ length: 128 }, () => 0);
  for (let pair = 0; pair < pairs; pair += 1) {
    const level = levelAt(peaks, pair);
    counts[level] = (counts[level] ?? 0) + 1;
  }
  const speech = percentile(counts, pairs, speechFraction);
  const noise = percentile(counts, pairs, noiseFraction);
  return Math.min(speech * wellBelowSpeech, Math.max(noise * aboveNoise, speech * belowSpeech));
}

/** The parts of silences of a second or more that can be skipped, in order. Takes some ms for a day of sound. */
export function silencesIn(peaks: Peaks): Stretch[] {
  const limit = silentBelow(peaks);
  const pairSeconds = peaks.pairMs / 1000;
  const pairs = peaks.levels.length / 2;
  const found: Stretch[] = [];
  let begin = -1;
  for (let pair = 0; pair <= pairs; pair += 1) {
    const isSilent = pair < pairs && levelAt(peaks, pair) < limit;
    if (isSilent && begin < 0) begin = pair;
    if (isSilent || begin < 0) continue;
    if ((pair - begin) * pairSeconds >= shortestSilence)
      found.push({ start: begin * pairSeconds + kept, end: pair * pairSeconds - kept });
    begin = -1;
  }
  return found;
}

/**
 * Removes from the silences the stretches with recognized words: soft speech is not skipped.
 * @param spoken recognized words, in order
 */
export function withoutSpoken(silences: readonly Stretch[], spoken: readonly Stretch[]): Stretch[] {
  const left: Stretch[] = [];
  const keep = (start: number, end: number) => {
    if (end - start >= shortestSilence - 2 * kept) left.push({ start, end });
  };
  let next = 0;
  for (const silence of silences) {
    let { start } = silence;
    while ((spoken[next]?.end ?? Number.POSITIVE_INFINITY) <= start) next += 1;
    for (let at = next; (spoken[at]?.start ?? Number.POSITIVE_INFINITY) < silence.end; at += 1) {
      keep(start, spoken[at]?.start ?? start);
      start = Math.max(start, spoken[at]?.end ?? start);
    }
    keep(start, silence.end);
  }
  return left;
}

/** The total length in seconds. */
export const lengthOfAll = (stretches: readonly Stretch[]): number =>
  stretches.reduce((sum, { start, end }) => sum + end - start, 0);

/** Shorter loops are clicks that slipped (seconds). */
const shortestLoop = 0.3;

/** The loop between two times in any order; null if it is too short. */
export function loopBetween(one: number, other: number): Stretch | null {
  const loop = { start: Math.min(one, other), end: Math.max(one, other) };
  return loop.end - loop.start < shortestLoop ? null : loop;
}

/** The shortest visible length (seconds): words can be told apart. */
const minShown = 4;

/** How often the visible length can be halved. */
export const maxZoom = (seconds: number): number => Math.max(0, Math.floor(Math.log2(seconds / minShown)));

/** @param zoom how often the visible length was halved */
export const shownSeconds = (seconds: number, zoom: number): number => seconds / 2 ** zoom;

/** Keeps the view inside the recording. All values in seconds. */
export const clampOffset = (offset: number, shown: number, seconds: number): number =>
  Math.min(Math.max(0, offset), Math.max(0, seconds - shown));

/** The beginning of the view that keeps a time in its place. */
export const offsetAround = ({ seconds: at, fraction }: Anchor, shown: number, seconds: number): number =>
  clampOffset(at - fraction * shown, shown, seconds);

/** The position in the view right after the view has turned to the next page: a little after its beginning. */
const afterTurn = 0.1;

/** The view that contains the position: the current one, or the next page. The view is never scrolled smoothly. */
export function offsetFollowing(offset: number, position: number, shown: number, seconds: number): number {
  const before = clampOffset(offset, shown, seconds);
  const isInView = position >= before && position <= before + shown * 0.98;
  return isInView ? before : clampOffset(position - shown * afterTurn, shown, seconds);
}
