import type { Segment } from "#contract/index.ts";

/** A segment as a language model reads it: without its words. */
export interface SpokenLine {
  /** Its place among all segments, from 1. */
  number: number;
  /** Seconds. */
  start: number;
  end: number;
  /** As labelled or named; null for none. */
  speaker: string | null;
  text: string;
}

/** The segments in which something is said. */
export function spokenLines(segments: readonly Segment[]): SpokenLine[] {
  return segments.flatMap(({ start, end, speaker = null, text }, index) => {
    const said = text.replace(/\s+/g, " ").trim();
    return said === "" ? [] : [{ number: index + 1, start, end, speaker, text: said }];
  });
}
