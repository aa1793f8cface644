/** How much more must be said before it is translated again, in words (letters, in scripts without spaces). */
const minMore = 3;
/**
 * When an utterance is longer than this (characters), its beginning is closed as a phrase, and the rest is translated
 * separately.
 */
const longest = 160;

const clauseEnd = /[.,;:!?…。、，；：！？]$/u;
const unspaced = String.raw`[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmr}\p{scx=Mymr}]`;
const words = new RegExp(String.raw`${unspaced}|(?:(?!${unspaced})\S)+`, "gu");

/** The current utterance as the recognizer has it. */
export interface Interim {
  /** The whole text; may still change. */
  text: string;
  /** The stable beginning of the text. */
  stable: string;
}

/** A part of an utterance that is translated before its end. */
export interface Phrase {
  /** The utterance from its beginning to the end of the phrase. */
  upTo: string;
  source: string;
  /** Whether the phrase no longer grows: later text belongs to another phrase. */
  isClosed: boolean;
}

export interface TranslatedPhrase extends Phrase {
  translation: string;
}

/**
 * The beginning, in whole words, on which two consecutive results agree (the rule "local agreement" of streaming
 * recognizers).
 */
export function agreed(before: string, now: string): string {
  const earlier = [...before.matchAll(words)].map(([each]) => each);
  let end = 0;
  for (const [index, match] of [...now.matchAll(words)].entries()) {
    if (match[0] !== earlier[index]) break;
    end = match.index + match[0].length;
  }
  return now.slice(0, end);
}

/** The closed phrases that still begin the stable text. */
const closedOf = (stable: string, phrases: readonly TranslatedPhrase[]): readonly TranslatedPhrase[] =>
  phrases.filter(({ isClosed, upTo }) => isClosed && stable.startsWith(upTo));

/**
 * @param phrases the phrases translated so far
 * @returns the next phrase that is worth a call; null for none
 */
export function nextPhrase({ text, stable }: Interim, phrases: readonly TranslatedPhrase[]): Phrase | null {
  const base = closedOf(stable, phrases).at(-1)?.upTo ?? "";
  const rest = stable.slice(base.length);
  const isClosed = rest.length > longest;
  const upTo = base + (isClosed ? beginningOf(rest) : rest);
  const source = upTo.slice(base.length).trim();
  const open = phrases.find((phrase) => !phrase.isClosed);
  const phrase = { upTo, source, isClosed };
  if (source === "" || (open?.upTo === upTo && !isClosed)) return null;
  const more = count(source) - (open !== undefined && upTo.startsWith(open.upTo) ? count(open.source) : 0);
  return isClosed || more >= minMore || stable === text || clauseEnd.test(source) ? phrase : null;
}

/** The phrases with one more, in the order of the text. */
export function withPhrase(phrases: readonly TranslatedPhrase[], phrase: TranslatedPhrase): readonly TranslatedPhrase[] {
  return [...closedOf(phrase.upTo, phrases), phrase];
}

function count(source: string): number {
  return [...source.matchAll(words)].length;
}

/** The text up to the end of the last clause within the first `longest` characters, else up to the last word there. */
function beginningOf(rest: string): string {
  const ends = [...rest.slice(0, longest).matchAll(words)].map(({ 0: each, index }) => ({ each, end: index + each.length }));
  const clause = ends.findLast(({ each, end }) => clauseEnd.test(each) && end > longest / 4);
  // The last one may be cut.
  return rest.slice(0, (clause ?? ends.at(-2) ?? ends.at(-1))?.end ?? longest);
}
