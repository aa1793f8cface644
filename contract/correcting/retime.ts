import type { Segment, Word } from "#contract/index.ts";
import { type AlignBudget, align, newBudget } from "./align.ts";
import { wordKey, wordsOf } from "./text.ts";

/**
 * Gives a segment a corrected text. Unchanged words keep their times and, with the same spelling, their confidence. New
 * words share the time between their neighbors by length. Without word times, there are none. The translation is
 * outdated and removed. Speaker and language are kept.
 */
export function retimeSegment(segment: Segment, text: string, budget: AlignBudget = newBudget()): Segment {
  const { translation: _, heard: __, ...kept } = segment;
  const { start, end } = segment;
  if (segment.words.length === 0) return { ...kept, text: text.trim() };
  const written = wordsOf(text);
  // A replacement of several words may itself consist of several words with one time.
  const parts = segment.words.flatMap((word) => wordsOf(word.text).map((spelling, part) => ({ word, spelling, part })));
  const matches = align(
    parts.map(({ spelling }) => wordKey(spelling)),
    written.map(wordKey),
    budget,
  );
  const stayed: (Word | undefined)[] = [];
  const spellings: string[] = [];
  for (let i = 0; i < written.length; ) {
    const at = matches[i] ?? -1;
    const own = parts[at]?.part === 0 ? wholeFrom(parts, at) : 0;
    const isWhole = own > 0 && written.slice(i, i + own).every((_, part) => matches[i + part] === at + part);
    const spelling = written.slice(i, i + (isWhole ? own : 1)).join(" ");
    spellings.push(spelling);
    stayed.push(isWhole ? respelled(parts[at]?.word, spelling) : undefined);
    i += isWhole ? own : 1;
  }
  return { ...kept, text: text.trim(), words: fillGaps(stayed, spellings, start, end) };
}

/** The number of parts of the word whose first part is at `from`. */
function wholeFrom(parts: readonly { part: number }[], from: number): number {
  let to = from + 1;
  while ((parts[to]?.part ?? 0) > 0) to += 1;
  return to - from;
}

/** A word restored to its recognized form loses its mark. */
function respelled(word: Word | undefined, text: string): Word | undefined {
  if (word === undefined) return undefined;
  const { heard, confidence, ...bare } = word;
  const isSame = text === word.text && confidence !== undefined;
  return { ...bare, text, ...(isSame && { confidence }), ...(heard !== undefined && heard !== text && { heard }) };
}

/** Assigns times to words without any, with a precision of a millisecond. */
function fillGaps(kept: readonly (Word | undefined)[], written: readonly string[], start: number, end: number): Word[] {
  const words: Word[] = [];
  let i = 0;
  while (i < written.length) {
    const word = kept[i];
    if (word !== undefined) {
      words.push(word);
      i++;
      continue;
    }
    let next = i;
    while (next < written.length && kept[next] === undefined) next++;
    const from = words.at(-1)?.end ?? start;
    const to = Math.max(from, kept[next]?.start ?? end);
    for (const timed of spread(written.slice(i, next), from, to)) words.push(timed);
    i = next;
  }
  return words;
}

/** Divides a time span among words, by length. */
function spread(written: readonly string[], from: number, to: number): Word[] {
  const letters = written.reduce((sum, word) => sum + word.length, 0);
  let before = 0;
  return written.map((text) => {
    const start = from + ((to - from) * before) / letters;
    before += text.length;
    const end = from + ((to - from) * before) / letters;
    return { text, start: milliseconds(start), end: milliseconds(end) };
  });
}

function milliseconds(seconds: number): number {
  return Math.round(seconds * 1000) / 1000;
}

/**
 * Replaces a transcript's whole text: each word goes to the segment of the word that it matches or replaces.
 * Segments with unchanged text stay the same objects.
 */
export function replaceText(segments: readonly Segment[], text: string, budget: AlignBudget = newBudget()): Segment[] {
  const owners: number[] = [];
  const before = segments.flatMap((segment, index) => {
    const words = wordsOf(segment.text);
    for (const _ of words) owners.push(index);
    return words;
  });
  const after = wordsOf(text);
  const matches = align(before.map(wordKey), after.map(wordKey), budget);
  const texts: string[][] = segments.map(() => []);
  forEachPlace(matches, before.length, (word, place) => {
    texts[owners[Math.min(place, owners.length - 1)] ?? 0]?.push(after[word] ?? "");
  });
  return segments.map((segment, index) => {
    const written = (texts[index] ?? []).join(" ");
    return written === wordsOf(segment.text).join(" ") ? segment : retimeSegment(segment, written, budget);
  });
}

/**
 * Calls `visit` with each new word and its position in the old text: that of its match, or its share of the replaced
 * stretch.
 */
function forEachPlace(matches: readonly number[], beforeLength: number, visit: (word: number, place: number) => void): void {
  let previous = -1;
  let word = 0;
  while (word < matches.length) {
    const match = matches[word] ?? -1;
    if (match >= 0) {
      visit(word++, match);
      previous = match;
      continue;
    }
    let next = word;
    while (next < matches.length && (matches[next] ?? -1) < 0) next++;
    const until = next < matches.length ? (matches[next] ?? beforeLength) : beforeLength;
    const replaced = until - previous - 1;
    for (let i = word; i < next; i++) {
      // Pure insertions belong to the word before them.
      const share = replaced === 0 ? previous : previous + 1 + Math.floor(((i - word) * replaced) / (next - word));
      visit(i, Math.max(0, share));
    }
    word = next;
  }
}
