import type { Span } from "#contract/index.ts";
import { largest } from "#contract/lists.ts";
import type { SpokenLine } from "#server/transcription/spoken-lines.ts";

/** More places than these say nothing any more: the first ones count. */
const maxSpans = 6;

/** Possible citations in square brackets: `[3]`, `[3, 5-7]`, `[lines 3–5]`. */
const group = /\s?[[【]([^[\]【】]{1,300})[\]】]/g;
/** Maximum letters among the numbers: "lines", "and". */
const maxLetters = 24;
const range = /(\d{1,6})(?:\s*[-–—]\s*(?:[^\d\s[\]]{0,6}\s*)?(\d{1,6}))?/g;
/**
 * Text in brackets that looks like a time: times come from the transcript, never from a model. Blanks are matched only
 * from their first one.
 */
const times =
  /(?<!\s)\s*[([【]\s*(?:\d{1,2}:)?\d{1,2}:\d{2}(?:[.,]\d{1,3})?(?:\s*[-–—]\s*(?:\d{1,2}:)?\d{1,2}:\d{2}(?:[.,]\d{1,3})?)?\s*[)\]】]/g;

/** The lines that a model may cite, by number. */
export type Known = ReadonlyMap<number, SpokenLine>;

export const knownOf = (lines: readonly SpokenLine[]): Known => new Map(lines.map((line) => [line.number, line]));

/**
 * Removes the citations from a text.
 * @returns the numbers of known lines that it cites, ascending; others are ignored
 */
export function withoutReferences(text: string, known: Known): { text: string; numbers: number[] } {
  const found = new Set<number>();
  const bare = text.replace(times, "").replace(group, (whole, inside: string) => {
    if (!/\d/.test(inside) || inside.replace(/[^\p{L}]/gu, "").length > maxLetters) return whole;
    for (const [, first = "", last = first] of inside.matchAll(range)) {
      const [from, to] = [Number(first), Number(last)];
      for (const number of between(Math.min(from, to), Math.max(from, to), known)) found.add(number);
    }
    return "";
  });
  return { text: bare.replace(/(?<!\s)\s+([.,;:!?])/g, "$1").trim(), numbers: [...found].sort((a, b) => a - b) };
}

/** A model may write "1-999999". */
function between(from: number, to: number, known: Known): number[] {
  if (to - from > known.size) return [...known.keys()].filter((number) => number >= from && number <= to);
  return Array.from({ length: to - from + 1 }, (_, i) => from + i).filter((number) => known.has(number));
}

/** Numbers as a model is shown them: `[3, 5-7]`. */
export function referenceOf(numbers: readonly number[]): string {
  return `[${runsOf(numbers, (a, b) => b === a + 1)
    .map((run) => (run.length === 1 ? `${run[0]}` : `${run[0]}-${run.at(-1)}`))
    .join(", ")}]`;
}

/** The times of lines that follow each other, as one span each. @param lines in the transcript's order */
export function spansOf(lines: readonly SpokenLine[]): Span[] {
  // Silent segments between two lines do not part them.
  return runsOf(lines, (a, b) => b.number - a.number <= 2)
    .slice(0, maxSpans)
    .flatMap((run): Span[] => {
      const [first] = run;
      return first === undefined ? [] : [[first.start, largest(run.map(({ end }) => end))]];
    });
}

function runsOf<Item>(items: readonly Item[], follows: (a: Item, b: Item) => boolean): Item[][] {
  const runs: Item[][] = [];
  let last: Item | undefined;
  for (const item of items) {
    const run = runs.at(-1);
    if (run !== undefined && last !== undefined && follows(last, item)) run.push(item);
    else runs.push([item]);
    last = item;
  }
  return runs;
}
