import type { Segment } from "#contract/index.ts";

/** Moonshine writes notes for music, and for some noise. @returns the segments that have words */
export function withoutMusic(segments: readonly Segment[]): Segment[] {
  return segments.filter(({ text }) => !/^[♪♫\s]*$/u.test(text));
}
