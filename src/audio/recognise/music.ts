import type { Segment } from "#contract/index.ts";

/** Removes segments without words. Moonshine writes note signs for music, and for some noise. */
export function withoutMusic(segments: readonly Segment[]): Segment[] {
  return segments.filter(({ text }) => !/^[♪♫\s]*$/u.test(text));
}
