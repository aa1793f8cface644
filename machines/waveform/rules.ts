import type { Peaks } from "#contract/index.ts";

/** A stretch of a recording, in seconds from its beginning. */
export interface Stretch {
  start: number;
  end: number;
}

/** Where a view holds still: a time (seconds), and where in the view it is (0 is its beginning, 1 its end). */
export interface Anchor {
  seconds: number;
  fraction: number;
}

/** Shorter pauses belong to speech (seconds). */
const shortestSilence = 1;
/** What is left of a silence that is skipped, before and after it: consonants begin softly (seconds). */
const kept = 0.2;

/**
 * What counts as silent, as shares of levels (contract/waveform.ts: square roots of amplitudes). Speech is what the loudest 2% are;
 * noise what is there for at least a tenth of the time. Silent is what is 6 dB above the noise at most, or 34 dB below speech; in a noisy
 * room never what is less than 20 dB below speech.
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

/** The level below which this fraction of all pairs is. */
function percentile(counts: readonly number[], total: number, fraction: number): number {
  let seen = 0;
  for (const [level, count] of counts.entries()) {
    seen += count;
    if (seen > total * fraction) return level;
  }
  return counts.length - 1;
}

/** Levels below this one are silent; 0 in a recording of nothing. */
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

/** What is to be skipped of the silences of a second or more, in order. Takes some milliseconds for a day. */
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
 * What is left of silences where something was understood all the same: however softly it was said, it is not skipped.
 * @param spoken words, in order
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

/** Together, in seconds. */
export const lengthOfAll = (stretches: readonly Stretch[]): number =>
  stretches.reduce((sum, { start, end }) => sum + end - start, 0);

/** Shorter ones are a click that slipped (seconds). */
const shortestLoop = 0.3;

/** What is between two places, whichever is first; null for next to nothing. */
export function loopBetween(one: number, other: number): Stretch | null {
  const loop = { start: Math.min(one, other), end: Math.max(one, other) };
  return loop.end - loop.start < shortestLoop ? null : loop;
}

/** The least that fills the view (seconds): words can be told apart. */
const minShown = 4;

/** How often what is shown can be halved. */
export const maxZoom = (seconds: number): number => Math.max(0, Math.floor(Math.log2(seconds / minShown)));

/** @param zoom how often it was halved */
export const shownSeconds = (seconds: number, zoom: number): number => seconds / 2 ** zoom;

/** A view that begins within the recording and does not end after it. All in seconds. */
export const clampOffset = (offset: number, shown: number, seconds: number): number =>
  Math.min(Math.max(0, offset), Math.max(0, seconds - shown));

/** Where the view begins so that a time stands still in it. */
export const offsetAround = ({ seconds: at, fraction }: Anchor, shown: number, seconds: number): number =>
  clampOffset(at - fraction * shown, shown, seconds);

/** Where in the view a position is after it was followed to it: a little after its beginning. */
const afterTurn = 0.1;

/** The view that has the position in it: the one that there was, or the next page of it. Nothing is ever scrolled smoothly. */
export function offsetFollowing(offset: number, position: number, shown: number, seconds: number): number {
  const before = clampOffset(offset, shown, seconds);
  const isInView = position >= before && position <= before + shown * 0.98;
  return isInView ? before : clampOffset(position - shown * afterTurn, shown, seconds);
}
