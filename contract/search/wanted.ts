import { isPair, termsIn } from "./terms.ts";

/** What is looked for: one term, or a sequence of them. */
export interface Wanted {
  /** As they stand in the index. */
  terms: string[];
  /** Whether the last one may be the beginning of a longer one. */
  isPrefix: boolean;
}

/** What one search looks for at most: the first ones count. */
const maxWanted = 12;
const maxTerms = 24;
/** So many letters of a word find all that begin with them. */
const prefixLength = 3;
/** A Korean syllable has two or three letters. */
const hangul = /\p{Script=Hangul}/u;

const quotation = /["“”„«»]([^"“”„«»]*)["“”„«»]?|[^\s"“”„«»]+/gu;

/** The words of a query, and its quotations as sequences. Whatever else is in it (operators, brackets) has no meaning. */
export function wantedIn(tag: string, query: string): Wanted[] {
  const found: Wanted[] = [];
  for (const [piece, quoted] of query.matchAll(quotation)) {
    const terms = sequenceIn(quoted ?? piece);
    const last = terms.at(-1);
    if (last === undefined || found.length === maxWanted) continue;
    found.push(wantedOf(tag, terms, quoted === undefined && mayGoOn(last)));
  }
  return distinct(found);
}

/** Every term of a query by itself, for what has not all of them. */
export function singleWordsIn(tag: string, query: string): Wanted[] {
  const terms = sequenceIn(query).slice(0, maxTerms);
  return distinct(terms.map((term) => wantedOf(tag, [term], mayGoOn(term))));
}

const wantedOf = (tag: string, terms: readonly string[], isPrefix: boolean): Wanted => ({
  terms: terms.slice(0, maxTerms).map((term) => tag + term),
  isPrefix: isPrefix && terms.length <= maxTerms,
});

/** Without the last character alone, which the pair before it has already. */
function sequenceIn(text: string): string[] {
  const terms = termsIn(text).map(({ term }) => term);
  const [before, last] = terms.slice(-2);
  const isOver = before !== undefined && last !== undefined && isPair(last) && [...last].length === 1 && before.endsWith(last);
  return isOver ? terms.slice(0, -1) : terms;
}

function mayGoOn(term: string): boolean {
  const { length } = [...term];
  if (isPair(term)) return length === 1;
  return length >= (hangul.test(term) ? 1 : prefixLength);
}

function distinct(wanted: readonly Wanted[]): Wanted[] {
  return [...new Map(wanted.map((one) => [one.terms.join(" "), one])).values()];
}
