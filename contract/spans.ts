import { joinedSegment } from "./passages.ts";
import type { Segment, Span } from "./transcription.ts";
import type { Regroup } from "./transcription-update.ts";

export const spanOf = ({ start, end }: Pick<Segment, "start" | "end">): Span => [start, end];

/** Whether a segment still has the span that the user saw. */
export function isAt(segments: readonly Segment[], index: number, [start, end]: Span): boolean {
  const segment = segments[index];
  return segment !== undefined && segment.start === start && segment.end === end;
}

/** How far an engine's words may extend beyond their segment (seconds). */
const overhang = 0.05;

/** The indices of the segments that now lie within a span. */
export function partsWithin(segments: readonly Segment[], [start, end]: Span): number[] {
  const isInside = ({ start: from, end: to }: Segment) =>
    (from + to) / 2 >= start && (from + to) / 2 <= end && from >= start - overhang && to <= end + overhang;
  return segments.flatMap((segment, index) => (isInside(segment) ? [index] : []));
}

/**
 * A split or merge, moved to the present indices of its segments; undefined when they are now part of other segments.
 * @param spanAt the spans of the segments; undefined: when unknown, the indices stay
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
  // The same change was already made: the response to the first request was lost, or this request was overtaken by its
  // event.
  const isDone =
    parts.length === regroup.passages.length &&
    parts.every((part, at) => segments[part]?.text.trim() === regroup.passages[at]?.text);
  const isThere = isDone || known.every((span) => partsWithin(segments, span).length > 0);
  return index !== undefined && isThere ? { ...regroup, index, count: parts.length } : undefined;
}

interface Regrouped {
  segments: readonly Segment[];
  /** The present index of a segment; undefined when it no longer exists. */
  indexOf(before: number): number | undefined;
}

/**
 * Rejoins the segments within each span. A segment that a user corrected as a whole stays whole, even if diarization
 * has split it in the meantime.
 * @param spans by the index that each segment had when the user saw it
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

/** Joins the parts of a segment, with the speaker of the longest. @param parts at least one */
function join(parts: readonly Segment[]): Segment {
  const longest = parts.reduce((one, other) => (other.end - other.start > one.end - one.start ? other : one));
  const { speaker: _, ...nobody } = joinedSegment(parts);
  return longest.speaker === undefined ? nobody : { ...nobody, speaker: longest.speaker };
}

/** The talk time of each speaker, in the order of first speaking; segments without a speaker are ignored. */
export function talkTimes(segments: readonly Segment[]): { speaker: string; seconds: number }[] {
  const seconds = new Map<string, number>();
  for (const { speaker, start, end } of segments) {
    if (speaker !== undefined) seconds.set(speaker, (seconds.get(speaker) ?? 0) + Math.max(0, end - start));
  }
  return [...seconds].map(([speaker, sum]) => ({ speaker, seconds: sum }));
}
