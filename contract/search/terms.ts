import { append } from "#contract/lists.ts";
import { normalForm } from "#contract/normal-form.ts";

/** A term and where it stands in a text (UTF-16). */
export interface Term {
  term: string;
  from: number;
  to: number;
}

/** Longer ones are no words: what comes after is not looked at (characters). */
const maxTerm = 60;

/** Letters, digits and marks of one word. */
const word = /[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu;
/** Scripts that are written without spaces between words: what is found there are pairs of characters. */
const unspaced =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}ー々]/u;
/** Accents of Latin, Greek and Cyrillic; vowel signs of Arabic and Hebrew, which are mostly not written; what only stretches a word. */
const leftOut = /[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]/g;
/** Letters that have no accent to be taken off, and are typed without. */
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

/** What nobody types: soft hyphens, widths of none, directions; and two signs that are a whole sentence when they are taken apart. */
const untyped = /[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufdfa\ufdfb\ufeff]/g;
const beyondAscii = /[^\n -~]+/g;
/** White space that is not one blank already. */
const blanks = /\s{2,}|[^\S ]/g;

/**
 * Of one spelling and of one case: "Café", "CAFE" and "cafe" are the same, as are ’ and ', – and -, and any white space. Whoever looks for
 * something by what is typed compares this of both. Columns of the database have it: whoever changes it makes them anew.
 */
export function folded(text: string): string {
  return text
    .replace(beyondAscii, unaccented)
    .toLowerCase()
    .replace(special, (letter) => plainer[letter] ?? letter)
    .replace(blanks, " ");
}

/** Most come again and again: thousands of rows are folded while somebody types. */
const known = new Map<string, string>();
const maxKnown = 10_000;

/** @param text no letter of ASCII is one with the marks that follow it */
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
 * The terms of a text, in its order. Words where words are divided by spaces; elsewhere every pair of neighbouring characters, and
 * the last character alone, so that any part of a sentence is found as a sequence of terms, and a single character as their beginning.
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

/** Pieces of a word of one kind of script: "iPhone用". */
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

/** Whether a term is one of a script without spaces. */
export const isPair = (term: string): boolean => unspaced.test(term);
