import { fullLevel, type Peaks } from "#contract/index.ts";

/** Width of a bar, and of a bar with its gap (CSS px). */
export const barWidth = 2;
export const barStep = 3;

/** The bars of a stretch: how far each reaches below and above the middle, as a fraction of the recording's maximum. */
export interface Bars {
  below: Float32Array;
  above: Float32Array;
}

/** The maximum level of the recording; 1 if it is silent. */
export function loudestOf({ levels }: Peaks): number {
  let loudest = 1;
  for (let at = 0; at < levels.length; at += 1) loudest = Math.max(loudest, Math.abs(levels[at] ?? 0));
  return Math.min(loudest, fullLevel);
}

interface Stretch {
  /** The start of the stretch, in seconds. */
  offset: number;
  /** The length of the stretch, in seconds. */
  shown: number;
  /** The level that fills the height. */
  loudest: number;
  /** Number of bars. */
  count: number;
}

/** Computes the bars of a stretch. Takes one or two milliseconds for three hours. */
export function barsOf({ levels, pairMs }: Peaks, { offset, shown, loudest, count }: Stretch): Bars {
  const bars = { below: new Float32Array(count), above: new Float32Array(count) };
  const pairs = levels.length / 2;
  const pairAt = (bar: number) => ((offset + (bar / count) * shown) * 1000) / pairMs;
  for (let bar = 0; bar < count; bar += 1) {
    const from = Math.floor(pairAt(bar));
    // At least one pair, if a pair is wider than a bar.
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
