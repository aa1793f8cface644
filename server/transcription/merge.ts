import { type AlignBudget, align, newBudget } from "#contract/correcting/align.ts";
import { unspacedLetter } from "#contract/index.ts";
import { append } from "#contract/lists.ts";

/** A text that two people have changed, and what it was before both. */
export interface Versions {
  base: string;
  mine: string;
  theirs: string;
}

interface Merged {
  text: string;
  /** Whether no place was changed by both; if not, such a place has what is theirs, then what is mine. */
  isClean: boolean;
}

/** A word with the blanks behind it; of scripts without spaces, one letter. */
interface Token {
  word: string;
  gap: string;
}

/** Stands where a passage is to be cut: in no text, since control characters are blanks there. */
const cut = "\u0000";

const tokens = new RegExp(`(${cut}|${unspacedLetter.source}|(?:(?!${unspacedLetter.source})[^\\s${cut}])+)(\\s*)`, "gu");

const tokensOf = (text: string): Token[] => [...text.trim().matchAll(tokens)].map(([, word = "", gap = ""]) => ({ word, gap }));
const wordsOf = (list: readonly Token[]): string[] => list.map(({ word }) => word);
const isSame = (one: readonly Token[], other: readonly Token[]): boolean =>
  one.length === other.length && one.every(({ word }, index) => word === other[index]?.word);

/**
 * Merges two changes of a text word by word (diff3): what only one has changed is as they have it, what both have changed alike is so once.
 * Case and marks count: a word that is written differently is another one.
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

/** Where each word of a text is in another one; undefined: it is not there. */
function placesIn(before: readonly Token[], after: readonly Token[], budget: AlignBudget): (number | undefined)[] {
  const places: (number | undefined)[] = before.map(() => undefined);
  for (const [place, index] of align(wordsOf(before), wordsOf(after), budget).entries()) {
    if (index >= 0) places[index] = place;
  }
  return places;
}

/** Words that were the last of their text have no blank behind them: there is one where another word follows. */
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
 * The passages that somebody has cut a text into, with what somebody else has changed of it meanwhile.
 * @param base the text that they were made of @param now the text that is there
 * @returns undefined where it does not fit together
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
