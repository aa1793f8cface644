import { type AlignBudget, align, newBudget } from "#contract/correcting/align.ts";
import { unspacedLetter } from "#contract/index.ts";
import { append } from "#contract/lists.ts";

/** A text that two users have changed, and the text before both. */
export interface Versions {
  base: string;
  mine: string;
  theirs: string;
}

interface Merged {
  text: string;
  /** Whether both changed different places. If not, a place changed by both has their text, then mine. */
  isClean: boolean;
}

/** A word with the spaces behind it; in scripts without spaces, one letter. */
interface Token {
  word: string;
  gap: string;
}

/** Marks where a passage is cut. Texts don't contain it, since control characters become spaces there. */
const cut = "\u0000";

const tokens = new RegExp(`(${cut}|${unspacedLetter.source}|(?:(?!${unspacedLetter.source})[^\\s${cut}])+)(\\s*)`, "gu");

const tokensOf = (text: string): Token[] => [...text.trim().matchAll(tokens)].map(([, word = "", gap = ""]) => ({ word, gap }));
const wordsOf = (list: readonly Token[]): string[] => list.map(({ word }) => word);
const isSame = (one: readonly Token[], other: readonly Token[]): boolean =>
  one.length === other.length && one.every(({ word }, index) => word === other[index]?.word);

/**
 * Merges two changes of a text word by word (diff3): a change by one side is taken, and the same change by both is
 * taken once. Case and punctuation count: a word that is written differently is another word.
 */
export function merge({ base, mine, theirs }: Versions, budget: AlignBudget = newBudget()): Merged {
  const [before, own, other] = [tokensOf(base), tokensOf(mine), tokensOf(theirs)];
  const [inOwn, inOther] = [placesIn(before, own, budget), placesIn(before, other, budget)];
  const parts: Token[] = [];
  let isClean = true;
  let [b, m, t] = [0, 0, 0];
  const between = (b1: number, m1: number, t1: number) => {
    const [old, one, another] = [before.slice(b, b1), own.slice(m, m1), other.slice(t, t1)];
    if (isSame(old, one) || isSame(one, another)) append(parts, another);
    else if (isSame(old, another)) append(parts, one);
    else {
      isClean = false;
      append(parts, another);
      append(parts, one);
    }
  };
  for (const [index, token] of before.entries()) {
    const [place, otherPlace] = [inOwn[index], inOther[index]];
    if (place === undefined || otherPlace === undefined) continue;
    between(index, place, otherPlace);
    parts.push({ ...token, gap: other[otherPlace]?.gap ?? token.gap });
    [b, m, t] = [index + 1, place + 1, otherPlace + 1];
  }
  between(before.length, own.length, other.length);
  return { text: textOf(parts), isClean };
}

/** Position of each word in another text; undefined when it is not there. */
function placesIn(before: readonly Token[], after: readonly Token[], budget: AlignBudget): (number | undefined)[] {
  const places: (number | undefined)[] = before.map(() => undefined);
  for (const [place, index] of align(wordsOf(before), wordsOf(after), budget).entries()) {
    if (index >= 0) places[index] = place;
  }
  return places;
}

/** The last word of a text has no space behind it; one is added where another word follows. */
function textOf(parts: readonly Token[]): string {
  return parts
    .map(({ word, gap }, index) => {
      const next = parts[index + 1];
      const needs = gap === "" && next !== undefined && !unspacedLetter.test(word) && !unspacedLetter.test(next.word);
      return word + (needs ? " " : gap);
    })
    .join("")
    .trim();
}

/**
 * Passages that one user has cut a text into, with another user's changes since then.
 * @param base the text that was cut
 * @param now the current text
 * @returns undefined when the two don't fit together
 */
export function mergedPassages(
  base: string,
  passages: readonly string[],
  now: string,
  budget?: AlignBudget,
): string[] | undefined {
  const mine = passages.map((text) => text.trim()).join(` ${cut} `);
  const { text, isClean } = merge({ base, mine, theirs: now }, budget);
  const merged = text.split(cut).map((part) => part.trim());
  return isClean && merged.length === passages.length && merged.every((part) => part !== "") ? merged : undefined;
}
