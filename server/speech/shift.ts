import type { Segment } from "#contract/index.ts";

/** Moves a piece's segment into the time of the whole audio. @param by the piece's offset (seconds) */
export function shift(segment: Segment, by: number): Segment {
  const at = (seconds: number) => Math.round((seconds + by) * 1000) / 1000;
  return {
    ...segment,
    start: at(segment.start),
    end: at(segment.end),
    words: segment.words.map((word) => ({ ...word, start: at(word.start), end: at(word.end) })),
  };
}
