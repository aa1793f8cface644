import type { Word } from "#contract/index.ts";

/** In seconds. */
export interface Span {
  start: number;
  end: number;
}

/** What it costs to pause without a comma or a point, in squared seconds. */
const pauseAmidWords = 0.3;

/**
 * Words of a text whose times are not known, spread by their lengths over the stretches in which somebody speaks. Which words belong to which
 * stretch follows from how long they take: the split with the least squared difference, and pauses at commas and points where that fits.
 * @param spoken in order
 */
export function spreadWords(text: string, spoken: readonly Span[]): Word[] {
  const tokens = text.split(/\s+/).filter(Boolean);
  const ends = splitOf(tokens, spoken);
  return spoken.flatMap((span, at) => spreadEvenly(tokens.slice(ends[at - 1] ?? 0, ends[at]), span));
}

/** The letters of a token, and one for the gap behind it. */
const lengthOf = (token: string) => token.length + 1;

function spreadEvenly(tokens: readonly string[], { start, end }: Span): Word[] {
  const total = tokens.reduce((sum, token) => sum + lengthOf(token), 0);
  let said = 0;
  return tokens.map((token) => {
    const from = start + ((end - start) * said) / total;
    said += lengthOf(token);
    return { text: token, start: from, end: start + ((end - start) * said) / total };
  });
}

interface Split {
  cost: number;
  /** For each stretch, the index of the token after its last one. */
  ends: readonly number[];
}

/** Dynamic programming over stretches and tokens. */
function splitOf(tokens: readonly string[], spoken: readonly Span[]): readonly number[] {
  const durations = spoken.map(({ start, end }) => end - start);
  const letters = tokens.reduce((sum, token) => sum + lengthOf(token), 0);
  const secondsPerLetter = durations.reduce((sum, seconds) => sum + seconds, 0) / Math.max(letters, 1);
  const secondsOf = tokens.map((token) => lengthOf(token) * secondsPerLetter);
  const amid = tokens.map((token, at) => (at === tokens.length - 1 || /[^\p{L}\p{N}]$/u.test(token) ? 0 : pauseAmidWords));
  /** The best split of the first tokens, by how many, over the stretches so far. */
  let best: (Split | undefined)[] = [{ cost: 0, ends: [] }];
  for (const duration of durations) {
    const next: (Split | undefined)[] = [];
    for (const [from, split] of best.entries()) {
      if (split === undefined) continue;
      let seconds = 0;
      for (let to = from; to <= tokens.length; to += 1) {
        if (to > from) seconds += secondsOf[to - 1] ?? 0;
        const cost = split.cost + (seconds - duration) ** 2 + (to > from ? (amid[to - 1] ?? 0) : 0);
        if (cost < (next[to]?.cost ?? Number.POSITIVE_INFINITY)) next[to] = { cost, ends: [...split.ends, to] };
      }
    }
    best = next;
  }
  return best[tokens.length]?.ends ?? [];
}
