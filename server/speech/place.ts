import type { Span } from "#speech/spread.ts";

/** A text whose times may be missing or wrong. */
export interface Timed {
  text: string;
  start: number | undefined;
  end: number | undefined;
}

/**
 * Gives each of a sequence of texts a time inside the span, none before the previous one. Impossible times are dropped.
 * A text without a time gets its share, by its letters, of the time between its neighbors.
 */
export function place(items: readonly Timed[], span: Span): Span[] {
  const known = dropWrong(items, span);
  const times = interpolate(
    known.flatMap(({ start, end }) => [start, end]),
    items.map(({ text }) => text.length + 1),
    span,
  );
  return items.map((_, at) => ({ start: times[at * 2] ?? span.start, end: times[at * 2 + 1] ?? span.end }));
}

type Times = Pick<Timed, "start" | "end">;
const unknown: Times = { start: undefined, end: undefined };

function dropWrong(items: readonly Timed[], { start: low, end: high }: Span): Times[] {
  const first = items[0]?.start;
  // Some servers give every text the same time.
  if (items.length > 1 && items.every(({ start, end }) => start === first && (end ?? first) === first))
    return items.map(() => unknown);
  const inside = items.map(({ start = Number.NaN, end = Number.NaN }) => ({
    start: start >= low && start < high ? start : undefined,
    end: end > low && end <= high ? end : undefined,
  }));
  const kept = ascending(inside.map(({ start }) => start));
  const right = inside.map((times, at) => (times.start === undefined || kept.has(at) ? times : unknown));
  let next = high;
  const nextStarts = right.map(() => high);
  for (let at = right.length - 1; at >= 0; at -= 1) {
    nextStarts[at] = next;
    next = right[at]?.start ?? next;
  }
  let last = low;
  return right.map(({ start, end }, at) => {
    last = start ?? last;
    const until = end === undefined ? undefined : Math.min(end, nextStarts[at] ?? high);
    if (until === undefined || until < last) return { start, end: undefined };
    last = until;
    return { start, end: until };
  });
}

/** The indices of the longest non-decreasing subsequence. */
function ascending(values: readonly (number | undefined)[]): Set<number> {
  /** For each length, the index of the smallest value that ends a subsequence of that length. */
  const ends: number[] = [];
  const before = values.map((value, index) => {
    if (value === undefined) return -1;
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((values[ends[middle] ?? 0] ?? 0) <= value) low = middle + 1;
      else high = middle;
    }
    ends[low] = index;
    return ends[low - 1] ?? -1;
  });
  const kept = new Set<number>();
  for (let index = ends.at(-1) ?? -1; index >= 0; index = before[index] ?? -1) kept.add(index);
  return kept;
}

/**
 * Fills in unknown times of alternating starts and ends.
 * @param weights of the texts; the gap between two texts has weight 0
 */
function interpolate(times: readonly (number | undefined)[], weights: readonly number[], { start, end }: Span): number[] {
  const filled: number[] = [];
  let [from, at] = [start, 0];
  while (at < times.length) {
    let to = at;
    while (to < times.length && times[to] === undefined) to += 1;
    const until = times[to] ?? end;
    // The gap from an end to the next start gets no time.
    const steps = times.slice(at, to).map((_, step) => ((at + step) % 2 === 1 ? (weights[(at + step - 1) / 2] ?? 0) : 0));
    const last = to % 2 === 1 ? (weights[(to - 1) / 2] ?? 0) : 0;
    const total = steps.reduce((sum, step) => sum + step, last);
    let done = 0;
    for (const step of steps) {
      done += step;
      filled.push(Math.min(until, from + (total === 0 ? 0 : ((until - from) * done) / total)));
    }
    if (to < times.length) filled.push(until);
    [from, at] = [until, to + 1];
  }
  return filled;
}
