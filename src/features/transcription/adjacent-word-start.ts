import type { Segment } from "#contract/index.ts";
import { indexAt } from "#src/audio/position.ts";

/** Where the word after (or before) the one being spoken begins, in seconds; undefined where there is none. */
export function beside(segments: readonly Segment[], seconds: number, step: number): number | undefined {
  let index = Math.max(0, indexAt(segments, seconds));
  const words = segments[index]?.words ?? [];
  const here = words[indexAt(words, seconds) + step];
  if (here !== undefined) return here.start;
  for (index += step; segments[index] !== undefined; index += step) {
    const others = segments[index]?.words ?? [];
    const next = step > 0 ? others[0] : others.at(-1);
    if (next !== undefined) return next.start;
  }
  return step > 0 ? undefined : words[0]?.start;
}
