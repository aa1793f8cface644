import { isUnsure, type Segment, wordStarts } from "#contract/index.ts";
import type { Hit } from "#machines/transcription/find/rules.ts";
import { indexAt } from "#src/audio/position.ts";

/** A piece of a text: plain, or (part of) the hit with the index `hit`. */
export interface Piece {
  text: string;
  /** Its offset in the whole text. */
  from: number;
  hit: number | undefined;
}

/** Splits the characters `from` to `to` of a text at the boundaries of hits. */
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

/** Words that are written differently from what was recognized. */
export interface WrittenMark {
  text: string;
  heard: string;
  /** Its offset in the segment's text. */
  from: number;
}

export function writtenMarks(segment: Segment): WrittenMark[] {
  const places = wordStarts(segment);
  const marks = segment.words.flatMap(({ text, heard }, index) =>
    heard === undefined ? [] : [{ text, heard, from: places[index] ?? 0 }],
  );
  return segment.heard === undefined ? marks : [{ text: segment.text, heard: segment.heard, from: 0 }, ...marks];
}

/**
 * Reverts a mark to the recognized words in a text that may have been edited since: at its offset, or at the nearest
 * occurrence. null when the text does not contain it any more.
 */
export function putBack(text: string, { text: written, heard, from }: WrittenMark): string | null {
  let nearest = -1;
  for (let at = text.indexOf(written); at >= 0; at = text.indexOf(written, at + 1)) {
    if (nearest < 0 || Math.abs(at - from) < Math.abs(nearest - from)) nearest = at;
  }
  return nearest < 0 ? null : `${text.slice(0, nearest)}${heard}${text.slice(nearest + written.length)}`;
}

/** An unsure word: its segment's index, and its start in seconds. */
export interface UnsureWord {
  index: number;
  start: number;
  text: string;
}

export function unsureWords(segments: readonly Segment[]): UnsureWord[] {
  return segments.flatMap(({ words }, index) => words.filter(isUnsure).map(({ start, text }) => ({ index, start, text })));
}

/**
 * The index of the next or previous unsure word from a place in the transcript. Wraps around; -1 without any.
 * @param start of the current word, in seconds; absent: the segment's beginning
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

/** The start of the word after or before the spoken one, in seconds; undefined if there is none. */
export function beside(segments: readonly Segment[], seconds: number, step: number): number | undefined {
  let index = Math.max(0, indexAt(segments, seconds));
  const words = segments[index]?.words ?? [];
  const here = words[indexAt(words, seconds) + step];
  if (here !== undefined) return here.start;
  for (index += step; segments[index] !== undefined; index += step) {
    const others = segments[index]?.words ?? [];
    const next = step > 0 ? others[0] : others.at(-1);
    if (next !== undefined) return next.start;
  }
  return step > 0 ? undefined : words[0]?.start;
}
