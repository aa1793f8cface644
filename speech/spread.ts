import type { Word } from "#contract/index.ts";

/** A stretch of time in seconds. */
export interface Span {
  start: number;
  end: number;
}

/** Cost of a pause without a comma or a full stop, in squared seconds. */
const pauseAmidWords = 0.3;

/**
 * Gives the words of a text without times their share, by length, of the stretches with speech. The words are split
 * among the stretches with the least squared difference in duration; pauses at commas and full stops are preferred.
 * @param spoken in order
 */
export function spreadWords(text: string, spoken: readonly Span[]): Word[] {
  const tokens = text.split(/\s+/).filter(Boolean);
  const ends = splitOf(tokens, spoken);
  return spoken.flatMap((span, at) => spreadEvenly(tokens.slice(ends[at - 1] ?? 0, ends[at]), span));
}

/** The letters of a token, plus one for the gap after it. */
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
  /** For each stretch, the index after its last token. */
  ends: readonly number[];
}

/** Dynamic programming over stretches and tokens. */
function splitOf(tokens: readonly string[], spoken: readonly Span[]): readonly number[] {
  const durations = spoken.map(({ start, end }) => end - start);
  const letters = tokens.reduce((sum, token) => sum + lengthOf(token), 0);
  const secondsPerLetter = durations.reduce((sum, seconds) => sum + seconds, 0) / Math.max(letters, 1);
  const secondsOf = tokens.map((token) => lengthOf(token) * secondsPerLetter);
  const amid = tokens.map((token, at) => (at === tokens.length - 1 || /[^\p{L}\p{N}]$/u.test(token) ? 0 : pauseAmidWords));
  /** The best split over the stretches so far, by the number of tokens used. */
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
