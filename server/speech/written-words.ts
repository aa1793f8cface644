import { align } from "#contract/correcting/align.ts";
import { unspacedLetter } from "#contract/index.ts";
import { append, smallest } from "#contract/lists.ts";
import type { Span } from "#speech/spread.ts";
import type { SpokenWord } from "./spoken-answer.ts";

/** A word as written in the text. Times in seconds; undefined where no spoken word matches it. */
export interface WrittenWord {
  text: string;
  start: number | undefined;
  end: number | undefined;
  confidence: number | undefined;
  /** Whether a space precedes it. */
  isSpaced: boolean;
}

/** Spoken words whose times are all known. */
export type PlacedWord = SpokenWord & Span;

/**
 * Position of a letter of the text among the spoken words: 2.5 is the middle of the third. Undefined: no spoken word
 * has it.
 */
export interface Place {
  from: number | undefined;
  to: number | undefined;
}

/**
 * The words of texts, with the times of the spoken words. The text decides how words are written: servers give "hello"
 * for "Hello,", several parts for one word, and unreadable parts of letters.
 * @param spoken in order
 */
export function writeWords(texts: readonly string[], spoken: readonly PlacedWord[]): WrittenWord[][] {
  const letters = [...texts.join("").replace(/\s+/g, "")];
  const places = placesOf(
    letters,
    spoken.map(({ text }) => text),
  );
  let at = 0;
  return texts.map((text) =>
    text
      .split(/\s+/)
      .filter(Boolean)
      .flatMap((token) => {
        const count = [...token].length;
        const own = places.slice(at, at + count);
        at += count;
        return wordsIn(token, own).map((word) => withTimes(word, spoken));
      }),
  );
}

interface PlacedText {
  text: string;
  places: Place[];
  isSpaced: boolean;
}

const letterOrDigit = /[\p{L}\p{N}]/u;
const opening = /^[\p{Ps}\p{Pi}]/u;

/**
 * Splits a token between spaces into words. In a script without spaces, words end where spoken words do. Punctuation
 * belongs to the word before it, opening marks to the word after them.
 */
function wordsIn(token: string, places: readonly Place[]): PlacedText[] {
  const first: PlacedText = { text: "", places: [], isSpaced: true };
  if (!unspacedLetter.test(token)) return [{ ...first, text: token, places: [...places] }];
  const words = [first];
  let word = first;
  let at = 0;
  let before = "";
  /** The last spoken word that belongs to the written one. */
  let last = Number.POSITIVE_INFINITY;
  for (const { segment } of graphemes.segment(token)) {
    const own = places.slice(at, at + [...segment].length);
    at += own.length;
    const from = own[0]?.from;
    const index = from === undefined ? undefined : Math.floor(from + tiny);
    const isSeam = unspacedLetter.test(segment) || unspacedLetter.test(before);
    const isNext = letterOrDigit.test(segment) && isSeam && index !== undefined && index > last;
    if (letterOrDigit.test(word.text) && (isNext || opening.test(segment))) {
      word = { text: "", places: [], isSpaced: false };
      words.push(word);
    }
    word.text += segment;
    append(word.places, own);
    last = index ?? last;
    before = segment;
  }
  return words;
}

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

function withTimes({ text, places, isSpaced }: PlacedText, spoken: readonly PlacedWord[]): WrittenWord {
  const from = places.find((place) => place.from !== undefined)?.from;
  const to = places.findLast((place) => place.to !== undefined)?.to;
  const [begin, end] = [Math.floor((from ?? 0) + tiny), Math.ceil((to ?? 0) - tiny)];
  const own = spoken.slice(begin, end);
  const [first, last] = [own[0], own.at(-1)];
  if (from === undefined || to === undefined || first === undefined || last === undefined) {
    return { text, isSpaced, start: undefined, end: undefined, confidence: undefined };
  }
  const confidences = own.flatMap(({ confidence }) => confidence ?? []);
  return {
    text,
    isSpaced,
    start: first.start + (first.end - first.start) * Math.max(0, from - begin),
    end: last.start + (last.end - last.start) * Math.min(1, to - end + 1),
    confidence: confidences.length === own.length ? smallest(confidences) : undefined,
  };
}

/** A letter of a spoken word, in the form used for comparison. */
interface Letter extends Place {
  from: number;
  to: number;
  key: string;
}

/** Finds the letters of a text among spoken words. @param letters without spaces */
export function placesOf(letters: readonly string[], spoken: readonly string[]): Place[] {
  const known = spoken.flatMap((text, index): Letter[] => {
    const own = [...text.replace(/[^\S\u00a0]+/g, "")];
    return own.map((key, at) => ({ key: keyOf(key), from: index + at / own.length, to: index + (at + 1) / own.length }));
  });
  const matches = align(
    known.map(({ key }) => key),
    letters.map(keyOf),
  );
  const places: Place[] = [];
  let next = 0;
  for (let at = 0; at < letters.length; ) {
    const match = matches[at] ?? -1;
    const letter = known[match];
    if (letter !== undefined) {
      places.push(letter);
      next = match + 1;
      at += 1;
      continue;
    }
    let end = at;
    while (end < letters.length && (matches[end] ?? -1) < 0) end += 1;
    for (const place of share(letters.slice(at, end), known.slice(next, matches[end] ?? known.length))) places.push(place);
    at = end;
  }
  return places;
}

/**
 * Letters without a match share the spoken letters in their place, in proportion to their bytes: a spoken letter may be
 * a part of one.
 */
function share(letters: readonly string[], spoken: readonly Letter[]): Place[] {
  const sizes = letters.map((letter) => Buffer.byteLength(letter));
  const scale = spoken.length / sizes.reduce((sum, size) => sum + size, 0);
  let done = 0;
  return sizes.map((size) => {
    const [from, to] = [done * scale, (done + size) * scale];
    done += size;
    const [first, last] = [spoken[Math.floor(from + tiny)], spoken[Math.ceil(to - tiny) - 1]];
    if (first === undefined || last === undefined) return { from: undefined, to: undefined };
    const fromPart = Math.max(0, from - Math.floor(from + tiny));
    const toPart = Math.min(1, to - Math.ceil(to - tiny) + 1);
    return { from: first.from + (first.to - first.from) * fromPart, to: last.from + (last.to - last.from) * toPart };
  });
}

/** Tolerance for sums of fractions. */
const tiny = 1e-9;

const keyOf = (letter: string): string => letter.toLowerCase();
