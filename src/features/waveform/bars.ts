import { fullLevel, type Peaks } from "#contract/index.ts";

/** Width of a bar, and of a bar with the gap after it (CSS px). */
export const barWidth = 2;
export const barStep = 3;

/** What is drawn of a stretch: for each bar how far it reaches below and above the middle, as shares of the loudest of the recording. */
export interface Bars {
  below: Float32Array;
  above: Float32Array;
}

/** The loudest level of all of it; 1 where nothing is heard. */
export function loudestOf({ levels }: Peaks): number {
  let loudest = 1;
  for (let at = 0; at < levels.length; at += 1) loudest = Math.max(loudest, Math.abs(levels[at] ?? 0));
  return Math.min(loudest, fullLevel);
}

interface Stretch {
  /** Where it begins, in seconds. */
  offset: number;
  /** Its length, in seconds. */
  shown: number;
  /** The level that fills the height. */
  loudest: number;
  /** Number of bars. */
  count: number;
}

/** What is drawn of a stretch. Takes a millisecond or two for three hours. */
export function barsOf({ levels, pairMs }: Peaks, { offset, shown, loudest, count }: Stretch): Bars {
  const bars = { below: new Float32Array(count), above: new Float32Array(count) };
  const pairs = levels.length / 2;
  const pairAt = (bar: number) => ((offset + (bar / count) * shown) * 1000) / pairMs;
  for (let bar = 0; bar < count; bar += 1) {
    const from = Math.floor(pairAt(bar));
    // At least one, where a pair is wider than a bar.
    const to = Math.min(pairs, Math.max(from + 1, Math.floor(pairAt(bar + 1))));
    let [lowest, highest] = [0, 0];
    for (let pair = from; pair < to; pair += 1) {
      lowest = Math.min(lowest, levels[2 * pair] ?? 0);
      highest = Math.max(highest, levels[2 * pair + 1] ?? 0);
    }
    bars.below[bar] = -lowest / loudest;
    bars.above[bar] = highest / loudest;
  }
  return bars;
}
