/** Below this many cells the exact longest common subsequence of a stretch is affordable (a few milliseconds). */
const exactCells = 1_000_000;
/** Budget of a whole change, over all stretches and segments (one or two seconds of computing). */
const affordableCells = 50_000_000;

/** The remaining budget. Beyond it, words count as replaced and share the time by length. */
export interface AlignBudget {
  cells: number;
}

export const newBudget = (): AlignBudget => ({ cells: affordableCells });

/**
 * Matches two lists of words in order, like a person comparing two versions. Short stretches use a longest common
 * subsequence; long ones are anchored at words that occur once (patience diff). So it stays fast for a book.
 * @param budget the cost limit; a change that aligns several times shares one
 * @returns for each word of `after` its index in `before`, or -1 for a new one; the indices increase
 */
export function align(before: readonly string[], after: readonly string[], budget = newBudget()): number[] {
  const matches = new Array<number>(after.length).fill(-1);
  const stretches: Stretch[] = [{ a0: 0, a1: before.length, b0: 0, b1: after.length }];
  for (let stretch = stretches.pop(); stretch !== undefined; stretch = stretches.pop()) {
    const rest = trim(before, after, stretch, matches);
    const [rows, columns] = [rest.a1 - rest.a0, rest.b1 - rest.b0];
    if (rows === 0 || columns === 0) continue;
    if (rows * columns <= Math.min(exactCells, budget.cells)) {
      budget.cells -= rows * columns;
      exact(before, after, rest, matches);
    } else for (const part of between(rest, anchors(before, after, rest), matches)) stretches.push(part);
  }
  return matches;
}

interface Stretch {
  a0: number;
  a1: number;
  b0: number;
  b1: number;
}

/** Matches common prefix and suffix. @returns the rest in the middle */
function trim(before: readonly string[], after: readonly string[], stretch: Stretch, matches: number[]): Stretch {
  let { a0, a1, b0, b1 } = stretch;
  while (a0 < a1 && b0 < b1 && before[a0] === after[b0]) matches[b0++] = a0++;
  while (a0 < a1 && b0 < b1 && before[a1 - 1] === after[b1 - 1]) matches[--b1] = --a1;
  return { a0, a1, b0, b1 };
}

function exact(before: readonly string[], after: readonly string[], { a0, a1, b0, b1 }: Stretch, matches: number[]): void {
  const width = b1 - b0 + 1;
  const lengths = new Uint32Array((a1 - a0 + 1) * width);
  const at = (a: number, b: number) => lengths[(a - a0) * width + (b - b0)] ?? 0;
  for (let a = a1 - 1; a >= a0; a--) {
    for (let b = b1 - 1; b >= b0; b--) {
      const longest = before[a] === after[b] ? at(a + 1, b + 1) + 1 : Math.max(at(a + 1, b), at(a, b + 1));
      lengths[(a - a0) * width + (b - b0)] = longest;
    }
  }
  let [a, b] = [a0, b0];
  while (a < a1 && b < b1) {
    if (before[a] === after[b]) matches[b++] = a++;
    else if (at(a + 1, b) >= at(a, b + 1)) a++;
    else b++;
  }
}

/** Words that occur once on both sides: the longest chain in the same order. */
function anchors(before: readonly string[], after: readonly string[], { a0, a1, b0, b1 }: Stretch): [a: number, b: number][] {
  const places = uniquePlaces(before, a0, a1);
  const pairs: [number, number][] = [];
  for (const [word, b] of uniquePlaces(after, b0, b1)) {
    const a = places.get(word);
    if (a !== undefined && a >= 0 && b >= 0) pairs.push([a, b]);
  }
  pairs.sort((one, other) => one[1] - other[1]);
  return longestRising(pairs);
}

/** The index of each word; -1 if it occurs more than once. */
function uniquePlaces(words: readonly string[], from: number, to: number): Map<string, number> {
  const places = new Map<string, number>();
  for (let i = from; i < to; i++) {
    const word = words[i] ?? "";
    places.set(word, places.has(word) ? -1 : i);
  }
  return places;
}

/** Patience sorting by the first number. */
function longestRising(pairs: readonly [number, number][]): [number, number][] {
  const tops: number[] = [];
  const previous: number[] = [];
  pairs.forEach(([a], i) => {
    let [low, high] = [0, tops.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[tops[middle] ?? 0]?.[0] ?? 0) < a) low = middle + 1;
      else high = middle;
    }
    previous[i] = low > 0 ? (tops[low - 1] ?? -1) : -1;
    tops[low] = i;
  });
  const chain: [number, number][] = [];
  for (let i = tops.at(-1) ?? -1; i >= 0; i = previous[i] ?? -1) {
    const pair = pairs[i];
    if (pair !== undefined) chain.push(pair);
  }
  return chain.reverse();
}

/** Matches the anchors. @returns the stretches between them; none without anchors, because then nothing matches */
function between(stretch: Stretch, chain: readonly [number, number][], matches: number[]): Stretch[] {
  if (chain.length === 0) return [];
  const stretches: Stretch[] = [];
  let { a0, b0 } = stretch;
  for (const [a, b] of chain) {
    matches[b] = a;
    stretches.push({ a0, a1: a, b0, b1: b });
    [a0, b0] = [a + 1, b + 1];
  }
  stretches.push({ a0, a1: stretch.a1, b0, b1: stretch.b1 });
  return stretches;
}
