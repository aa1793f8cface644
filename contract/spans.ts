import { joinedSegment } from "./passages.ts";
import type { Segment, Span } from "./transcription.ts";
import type { Regroup } from "./transcription-update.ts";

export const spanOf = ({ start, end }: Pick<Segment, "start" | "end">): Span => [start, end];

/** Whether a segment is where somebody has seen it. */
export function isAt(segments: readonly Segment[], index: number, [start, end]: Span): boolean {
  const segment = segments[index];
  return segment !== undefined && segment.start === start && segment.end === end;
}

/** An engine's words may begin before their segment, or end after it (seconds). */
const overhang = 0.05;

/** The indices of the segments that a span is made of now: those that lie in it. */
export function partsWithin(segments: readonly Segment[], [start, end]: Span): number[] {
  const isInside = ({ start: from, end: to }: Segment) =>
    (from + to) / 2 >= start && (from + to) / 2 <= end && from >= start - overhang && to <= end + overhang;
  return segments.flatMap((segment, index) => (isInside(segment) ? [index] : []));
}

/**
 * Splits and merges, of what has become of their segments; undefined when these are part of others.
 * @param spanAt where the segments were; undefined: where nothing is known, they stay
 */
export function movedRegroup(
  segments: readonly Segment[],
  regroup: Regroup,
  spanAt: (index: number) => Span | undefined,
): Regroup | undefined {
  const spans = Array.from({ length: regroup.count }, (_, at) => spanAt(regroup.index + at));
  const known = spans.filter((span) => span !== undefined);
  const [first, last] = [known[0], known.at(-1)];
  if (first === undefined || last === undefined || known.length < spans.length) return regroup;
  const parts = partsWithin(segments, [first[0], last[1]]);
  const [index] = parts;
  // Somebody did the same: the answer to the first request was lost, or is overtaken by the news of it.
  const isDone =
    parts.length === regroup.passages.length &&
    parts.every((part, at) => segments[part]?.text.trim() === regroup.passages[at]?.text);
  const isThere = isDone || known.every((span) => partsWithin(segments, span).length > 0);
  return index !== undefined && isThere ? { ...regroup, index, count: parts.length } : undefined;
}

interface Regrouped {
  segments: readonly Segment[];
  /** Where a segment that was somewhere else is now; undefined for one that is gone. */
  indexOf(before: number): number | undefined;
}

/**
 * The segments, but what lies within one of the spans is one segment again: what a person has corrected as a whole stays whole, though it
 * has been found out meanwhile that two people speak in it.
 * @param spans by the index that each segment had when it was seen
 */
export function regrouped(segments: readonly Segment[], spans: ReadonlyMap<number, Span>): Regrouped {
  if ([...spans].every(([index, span]) => isAt(segments, index, span))) return { segments, indexOf: (before) => before };
  const firsts = new Map<number, number>();
  const joined = new Map<number, Segment>();
  const gone = new Set<number>();
  for (const [before, span] of spans) {
    const parts = isAt(segments, before, span) ? [before] : partsWithin(segments, span);
    const [first, ...others] = parts;
    if (first === undefined || parts.some((part) => joined.has(part) || gone.has(part))) continue;
    firsts.set(before, first);
    joined.set(first, join(parts.flatMap((part) => segments[part] ?? [])));
    for (const other of others) gone.add(other);
  }
  const places = new Map<number, number>();
  const kept = segments.flatMap((segment, index) => {
    if (gone.has(index)) return [];
    places.set(index, places.size);
    return [joined.get(index) ?? segment];
  });
  return {
    segments: kept,
    indexOf: (before) => {
      const first = firsts.get(before);
      return first === undefined ? undefined : places.get(first);
    },
  };
}

/** Parts of one segment as one, with the speaker of the longest. @param parts at least one */
function join(parts: readonly Segment[]): Segment {
  const longest = parts.reduce((one, other) => (other.end - other.start > one.end - one.start ? other : one));
  const { speaker: _, ...nobody } = joinedSegment(parts);
  return longest.speaker === undefined ? nobody : { ...nobody, speaker: longest.speaker };
}

/** How long each speaker talks, in the order in which they first do; segments without a speaker count for nobody. */
export function talkTimes(segments: readonly Segment[]): { speaker: string; seconds: number }[] {
  const seconds = new Map<string, number>();
  for (const { speaker, start, end } of segments) {
    if (speaker !== undefined) seconds.set(speaker, (seconds.get(speaker) ?? 0) + Math.max(0, end - start));
  }
  return [...seconds].map(([speaker, sum]) => ({ speaker, seconds: sum }));
}
