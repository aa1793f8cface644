import { append } from "#contract/lists.ts";
import { normalForm } from "#contract/normal-form.ts";

/** A term and its position in a text (UTF-16). */
export interface Term {
  term: string;
  from: number;
  to: number;
}

/** Longest term (characters): the rest of a longer one is ignored. */
const maxTerm = 60;

/** The letters, digits and marks of one word. */
const word = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
/** Scripts without spaces between words; their terms are pairs of characters. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々]/u;
/**
 * Accents of Latin, Greek and Cyrillic; vowel signs of Arabic and Hebrew, which are usually not written; and signs that
 * only stretch a word.
 */
const leftOut = /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]/g;
/** Letters that don't decompose, and their plain spelling. */
const plainer: Readonly<Record<string, string>> = {
  ß: "ss",
  æ: "ae",
  œ: "oe",
  ø: "o",
  ł: "l",
  đ: "d",
  ð: "d",
  þ: "th",
  ı: "i",
  ς: "σ",
};
const special = /[ßæœøłđðþıς]/g;

/**
 * Characters that nobody types: soft hyphens, zero-width characters, directions; and two signs that decompose to a
 * whole sentence.
 */
const untyped = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufdfa\ufdfb\ufeff]/g;
const beyondAscii = /[^\n -~]+/g;
/** White space other than a single space. */
const blanks = /\s{2,}|[^\S ]/g;

/**
 * The folded form of a text, for comparing a typed query with stored text: "Café", "CAFE" and "cafe" are the same, as
 * are ’ and ', – and -, and all white space. Database columns contain this form: if it changes, they must be rebuilt.
 */
export function folded(text: string): string {
  return text
    .replace(beyondAscii, unaccented)
    .toLowerCase()
    .replace(special, (letter) => plainer[letter] ?? letter)
    .replace(blanks, " ");
}

/** A cache, because most texts repeat: thousands of rows are folded while somebody types. */
const known = new Map<string, string>();
const maxKnown = 10_000;

/** @param text contains no ASCII letter that its marks could combine with */
function unaccented(text: string): string {
  const before = known.get(text);
  if (before !== undefined) return before;
  const same = text
    .replace(untyped, "")
    .replace(/[‘’‚‛′´]/g, "'")
    .replace(/[“”„‟″«»]/g, '"')
    .replace(/[‐-―−]/g, "-");
  const plain = normalForm(normalForm(same, "NFKD").replace(leftOut, ""), "NFC");
  if (known.size >= maxKnown) known.clear();
  if (text.length <= maxTerm) known.set(text, plain);
  return plain;
}

/**
 * The terms of a text, in order. They are words where spaces divide words. Elsewhere they are all pairs of neighboring
 * characters, and the last character alone, so that any part of a sentence is found as a phrase, and a single character
 * as the beginning of a term.
 */
export function termsIn(text: string): Term[] {
  return [...text.matchAll(word)].flatMap(({ 0: found, index }) => wordTerms(found, index));
}

function wordTerms(found: string, at: number): Term[] {
  const terms: Term[] = [];
  for (const run of runsOf(found)) {
    const from = at + run.from;
    if (run.isUnspaced) append(terms, pairsOf(run.text, from));
    else push(terms, run.text.slice(0, maxTerm), from, from + run.text.length);
  }
  return terms;
}

/** The pieces of a word by kind of script: "iPhone用". */
function runsOf(found: string): { text: string; from: number; isUnspaced: boolean }[] {
  if (!unspaced.test(found)) return [{ text: found, from: 0, isUnspaced: false }];
  const runs: { text: string; from: number; isUnspaced: boolean }[] = [];
  let at = 0;
  for (const letter of found) {
    const last = runs.at(-1);
    const isUnspaced = unspaced.test(letter) || (/\p{M}/u.test(letter) && last?.isUnspaced === true);
    if (last !== undefined && last.isUnspaced === isUnspaced) last.text += letter;
    else runs.push({ text: letter, from: at, isUnspaced });
    at += letter.length;
  }
  return runs;
}

function pairsOf(run: string, from: number): Term[] {
  const terms: Term[] = [];
  const letters = [...run];
  let at = from;
  for (const [index, letter] of letters.entries()) {
    const next = letters[index + 1] ?? "";
    push(terms, letter + next, at, at + letter.length + next.length);
    at += letter.length;
  }
  return terms;
}

function push(terms: Term[], text: string, from: number, to: number): void {
  const term = folded(text).replace(/[^\p{L}\p{N}\p{M}]/gu, "");
  if (term !== "") terms.push({ term, from, to });
}

/** Whether a term is from a script without spaces. */
export const isPair = (term: string): boolean => unspaced.test(term);
