import type { Segment, Word } from "#contract/index.ts";
import { append, smallest } from "#contract/lists.ts";

/** A stretch of a segment's text (UTF-16 offsets) and its other spelling. */
export interface Rewrite {
  from: number;
  to: number;
  written: string;
}

interface Span {
  from: number;
  to: number;
}

/**
 * Rewrites stretches of a segment. The words that a stretch touches become one word, from the start of the first to the
 * end of the last, marked with the recognized text. Where there are no words, the whole segment is marked.
 * @param rewrites in order, not overlapping; those that touch a word already marked are left out
 */
export function rewritten(segment: Segment, rewrites: readonly Rewrite[]): Segment {
  if (rewrites.length === 0) return segment;
  const spans = spansOf(segment);
  const groups = groupsOf(segment.words, spans, rewrites);
  if (groups.length === 0) return segment;
  const words: Word[] = [];
  let next = 0;
  let isMarked = true;
  for (const { first, last, rewrites: own } of groups) {
    if (first < 0) {
      isMarked = false;
      continue;
    }
    append(words, segment.words.slice(next, first));
    words.push(mergedWord(segment, spans, { first, last, rewrites: own }));
    next = last + 1;
  }
  append(words, segment.words.slice(next));
  const text = spliced(
    segment.text,
    { from: 0, to: segment.text.length },
    groups.flatMap((group) => group.rewrites),
  );
  return { ...segment, text, words, ...(!isMarked && segment.heard === undefined && { heard: segment.text }) };
}

/** A segment's text, with commas in place of words already marked, so that nothing is found there. */
export function unmarkedText(segment: Segment): string {
  const marked = spansOf(segment).filter((_, index) => segment.words[index]?.heard !== undefined);
  return spliced(
    segment.text,
    { from: 0, to: segment.text.length },
    marked.map(({ from, to }) => ({ from, to, written: ",".repeat(to - from) })),
  );
}

interface Group {
  /** Indices of words; -1 where there are no words. */
  first: number;
  last: number;
  rewrites: Rewrite[];
}

/** Groups rewrites by the words that they touch: two that touch the same word are in one group. */
function groupsOf(words: readonly Word[], spans: readonly Span[], rewrites: readonly Rewrite[]): Group[] {
  const groups: Group[] = [];
  let at = 0;
  for (const rewrite of rewrites) {
    while (at < spans.length && (spans[at]?.to ?? 0) <= rewrite.from) at += 1;
    let last = at - 1;
    while (last + 1 < spans.length && (spans[last + 1]?.from ?? 0) < rewrite.to) last += 1;
    if (last < at) {
      groups.push({ first: -1, last: -1, rewrites: [rewrite] });
      continue;
    }
    if (words.slice(at, last + 1).some(({ heard }) => heard !== undefined)) continue;
    const before = groups.at(-1);
    if (before !== undefined && before.first >= 0 && before.last >= at) {
      before.last = Math.max(before.last, last);
      before.rewrites.push(rewrite);
    } else groups.push({ first: at, last, rewrites: [rewrite] });
  }
  return groups;
}

function mergedWord({ text, words }: Segment, spans: readonly Span[], { first, last, rewrites }: Group): Word {
  const span = { from: spans[first]?.from ?? 0, to: spans[last]?.to ?? text.length };
  const own = words.slice(first, last + 1);
  const confidences = own.flatMap(({ confidence }) => (confidence === undefined ? [] : [confidence]));
  return {
    text: spliced(text, span, rewrites),
    start: own[0]?.start ?? 0,
    end: own.at(-1)?.end ?? 0,
    ...(confidences.length === own.length && { confidence: smallest(confidences) }),
    heard: text.slice(span.from, span.to),
  };
}

function spliced(text: string, { from, to }: Span, rewrites: readonly Rewrite[]): string {
  const parts: string[] = [];
  let at = from;
  for (const rewrite of rewrites) {
    parts.push(text.slice(at, rewrite.from), rewrite.written);
    at = rewrite.to;
  }
  parts.push(text.slice(at, to));
  return parts.join("");
}

/** The span of each word in the text; empty where an engine's words differ from its text. */
function spansOf({ text, words }: Segment): Span[] {
  let at = 0;
  return words.map((word) => {
    const from = text.indexOf(word.text, at);
    if (from < 0) return { from: at, to: at };
    at = from + word.text.length;
    return { from, to: at };
  });
}
