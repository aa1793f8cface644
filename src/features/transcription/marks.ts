import type { Segment, Word } from "#contract/index.ts";
import type { Hit } from "#machines/transcription/find-hits.ts";

/** A piece of a text: plain, or the hit (or a part of it) that is its `hit`-th in the list. */
export interface Piece {
  text: string;
  /** Where it begins in the whole text. */
  from: number;
  hit: number | undefined;
}

/** Cuts the letters `from` to `to` of a text where hits begin and end. */
export function pieces(text: string, hits: readonly Hit[], from = 0, to = text.length): Piece[] {
  const cut: Piece[] = [];
  let at = from;
  hits.forEach((hit, index) => {
    const [start, end] = [Math.max(hit.from, at), Math.min(hit.to, to)];
    if (start >= end) return;
    if (start > at) cut.push({ text: text.slice(at, start), from: at, hit: undefined });
    cut.push({ text: text.slice(start, end), from: start, hit: index });
    at = end;
  });
  if (at < to) cut.push({ text: text.slice(at, to), from: at, hit: undefined });
  return cut;
}

/** Where each word begins in its segment's text; where an engine's words are not its text's, as near as can be told. */
export function wordPlaces({ text, words }: Pick<Segment, "text" | "words">): number[] {
  let at = 0;
  return words.map((word) => {
    const found = text.indexOf(word.text, at);
    if (found < 0) return at;
    at = found + word.text.length;
    return found;
  });
}

/** Below this posterior a word is marked as one to check. */
const unsureBelow = 0.3;
export const isUnsure = ({ confidence }: Word): boolean => confidence !== undefined && confidence < unsureBelow;

/** A word that was not heard clearly: its segment's index, and where it begins, in seconds. */
export interface UnsureWord {
  index: number;
  start: number;
  text: string;
}

export function unsureWords(segments: readonly Segment[]): UnsureWord[] {
  return segments.flatMap(({ words }, index) => words.filter(isUnsure).map(({ start, text }) => ({ index, start, text })));
}

/**
 * The one after (or before) a place in the transcript, round its end; -1 without any.
 * @param start of the word that is looked at, in seconds; left out for a segment's beginning
 */
export function unsureBeside(
  words: readonly UnsureWord[],
  place: { index: number; start?: number | undefined },
  step: 1 | -1,
): number {
  if (words.length === 0) return -1;
  const start = place.start ?? Number.NEGATIVE_INFINITY;
  const isAfter = (word: UnsureWord) => word.index > place.index || (word.index === place.index && word.start > start);
  const isBefore = (word: UnsureWord) => word.index < place.index || (word.index === place.index && word.start < start);
  if (step === 1) return Math.max(0, words.findIndex(isAfter));
  const before = words.findLastIndex(isBefore);
  return before < 0 ? words.length - 1 : before;
}
