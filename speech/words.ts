import type { Segment, Word } from "#contract/index.ts";

/** A pause between words that starts a new segment, in seconds. */
const segmentPause = 0.35;
/** A longer segment is split at its longest pause (seconds), because segments also serve as subtitles. */
const longestSegment = 15;

/**
 * Groups words into segments at the pauses between them.
 * @param words in order, times in seconds
 */
export function segmentsFrom(words: readonly Word[]): Segment[] {
  const groups: Word[][] = [];
  let group: Word[] = [];
  for (const word of words) {
    const before = group.at(-1);
    if (before !== undefined && word.start - before.end >= segmentPause) {
      groups.push(group);
      group = [];
    }
    group.push(word);
  }
  if (group.length > 0) groups.push(group);
  return groups.flatMap(partLong).map(segmentOf);
}

function segmentOf(words: readonly Word[]): Segment {
  return {
    start: words[0]?.start ?? 0,
    end: words.at(-1)?.end ?? 0,
    text: words.map(({ text }) => text).join(" "),
    words: [...words],
  };
}

function partLong(words: Word[]): Word[][] {
  const start = words[0]?.start ?? 0;
  const end = words.at(-1)?.end ?? 0;
  if (end - start <= longestSegment || words.length < 2) return [words];
  const at = longestGap(words, start + (end - start) / 4, end - (end - start) / 4);
  return [...partLong(words.slice(0, at)), ...partLong(words.slice(at))];
}

/** The end of a sentence counts as a pause of this length (seconds): interpolated words have no pauses at all. */
const sentenceEnd = 1;

/** Index of the word after the longest gap between two times; the middle word when there is no gap. */
function longestGap(words: readonly Word[], from: number, to: number): number {
  let best = Math.ceil(words.length / 2);
  let longest = -1;
  for (let at = 1; at < words.length; at += 1) {
    const before = words[at - 1];
    const word = words[at];
    if (before === undefined || word === undefined || word.start < from || word.start > to) continue;
    const gap = word.start - before.end + (/[.!?]$/.test(before.text) ? sentenceEnd : 0);
    if (gap > longest) {
      longest = gap;
      best = at;
    }
  }
  return best;
}

/** All segments joined into one; empty for none. */
export function joined(segments: readonly Segment[]): Segment[] {
  return segments.length === 0 ? [] : [segmentOf(segments.flatMap(({ words }) => words))];
}

/** The segment at other times. @param at maps each of its times (seconds) */
export function moved(segment: Segment, at: (seconds: number) => number): Segment {
  const words = segment.words.map((word) => ({ ...word, start: at(word.start), end: at(word.end) }));
  return { ...segment, start: at(segment.start), end: at(segment.end), words };
}

/** The segment, delayed by some seconds. */
export function shifted(segment: Segment, seconds: number): Segment {
  return moved(segment, (time) => time + seconds);
}

/**
 * Moves a piece's segment to its time in the whole audio, rounded to milliseconds. @param by the piece's offset
 * (seconds)
 */
export function shift(segment: Segment, by: number): Segment {
  return moved(segment, (seconds) => Math.round((seconds + by) * 1000) / 1000);
}

/** Capitalizes the beginning of a segment, for engines that give lower-case words. */
export function capitalised(segment: Segment): Segment {
  const [first, ...rest] = segment.words;
  if (first === undefined) return segment;
  const words = [{ ...first, text: upperFirst(first.text) }, ...rest];
  return { ...segment, text: upperFirst(segment.text), words };
}

export function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
