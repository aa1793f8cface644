import type { Segment } from "#contract/index.ts";

/** A segment for a language model, without its words. */
export interface SpokenLine {
  /** Position among all segments, from 1. */
  number: number;
  /** Seconds. */
  start: number;
  end: number;
  /** Label or name; null for none. */
  speaker: string | null;
  text: string;
}

/** The segments with speech. */
export function spokenLines(segments: readonly Segment[]): SpokenLine[] {
  return segments.flatMap(({ start, end, speaker = null, text }, index) => {
    const said = text.replace(/\s+/g, " ").trim();
    return said === "" ? [] : [{ number: index + 1, start, end, speaker, text: said }];
  });
}
