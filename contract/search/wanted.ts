import { isPair, termsIn } from "./terms.ts";

/** One term to search for, or a phrase. */
export interface Wanted {
  /** The terms as in the index. */
  terms: string[];
  /** Whether the last term may be the beginning of a longer one. */
  isPrefix: boolean;
}

/** Limits of one search: the first terms count. */
const maxWanted = 12;
const maxTerms = 24;
/** From this length on, a word also finds longer words that begin with it. */
const prefixLength = 3;
/** A Korean syllable has two or three letters, so it counts as long enough. */
const hangul = /\p{Script=Hangul}/u;

const quotation = /["“”„«»]([^"“”„«»]*)["“”„«»]?|[^\s"“”„«»]+/gu;

/** The words of a query, and its quotations as phrases. Everything else in it (operators, brackets) is ignored. */
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

/** Each term of a query separately, for passages without all of them. */
export function singleWordsIn(tag: string, query: string): Wanted[] {
  const terms = sequenceIn(query).slice(0, maxTerms);
  return distinct(terms.map((term) => wantedOf(tag, [term], mayGoOn(term))));
}

const wantedOf = (tag: string, terms: readonly string[], isPrefix: boolean): Wanted => ({
  terms: terms.slice(0, maxTerms).map((term) => tag + term),
  isPrefix: isPrefix && terms.length <= maxTerms,
});

/** Drops the last single character, because the pair before it contains it. */
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
