import type { Segment, Word } from "#contract/index.ts";
import { append } from "#contract/lists.ts";
import { upperFirst } from "../words.ts";
import { isEnglish } from "./plain.ts";

/** English sentences hardly ever end with these words: a full stop after one marks where the sound was cut. */
const neverLast = new Set(
  "a an the and or but nor not of to from with into than which whose if as because while although my your its our their very every each".split(
    " ",
  ),
);
/** Letters at the end of a text that are searched for its last word. */
const longestLast = 40;
/** A longer silence ends a sentence, whatever its last word (seconds). */
const longestBreath = 2;

/**
 * Tidies the joins between parts of a recording that were recognized separately. Where two texts meet, there may be
 * extra marks, a small letter after a full stop, or a full stop in the middle of a sentence. Nothing else is changed.
 * @param texts of the parts of one recording, in order
 */
export function withTidyJoins(texts: readonly (readonly Segment[])[], language: string): Segment[] {
  const all = texts.flat();
  const tidy: Segment[] = [];
  for (const [first, ...rest] of texts) {
    if (first === undefined) continue;
    const before = tidy.at(-1);
    const isCut = before !== undefined && isCutSentence(before, first, before.language ?? language);
    if (isCut) {
      tidy[tidy.length - 1] = withoutFullStop(before);
      const begun = withoutLeadingMarks(first);
      tidy.push(isName(begun, all) ? begun : withStart(begun, lowerFirst(begun.text)));
    } else tidy.push(tidyStart(first, before));
    append(tidy, rest);
  }
  return tidy;
}

/** The segment without marks at its beginning, and capitalized after the end of a sentence. */
export function tidyStart(segment: Segment, before: Segment | undefined): Segment {
  if (before === undefined) return segment;
  const begun = withoutLeadingMarks(segment);
  return /[.!?…]["”’)]?$/u.test(before.text) ? withStart(begun, upperFirst(begun.text)) : begun;
}

function isCutSentence({ text, end }: Segment, next: Segment, language: string): boolean {
  const [, last] = /([\p{L}']+)\.$/u.exec(text.slice(-longestLast)) ?? [];
  return last !== undefined && isEnglish(language) && next.start - end < longestBreath && neverLast.has(last.toLowerCase());
}

/**
 * Whether the first word keeps its capital: "I", all-caps words, and words that have a capital within a sentence
 * elsewhere.
 */
function isName({ text }: Segment, segments: readonly Segment[]): boolean {
  const bare = (text.split(" ", 1)[0] ?? "").replace(/[^\p{L}\p{N}'’]/gu, "");
  if (/^I(?:['’]|$)/.test(bare) || (bare.length > 1 && bare === bare.toUpperCase())) return true;
  return segments.some(({ words }) =>
    words.some((word, at) => word.text.startsWith(bare) && at > 0 && !/[.!?]$/.test(words[at - 1]?.text ?? "")),
  );
}

const lowerFirst = (text: string) => text.charAt(0).toLowerCase() + text.slice(1);

function withoutLeadingMarks(segment: Segment): Segment {
  return withStart(segment, segment.text.replace(/^[\s,.;:]+(?=\p{L})/u, ""));
}

function withoutFullStop(segment: Segment): Segment {
  const last = segment.words.at(-1);
  const bare = (text: string) => text.replace(/\.$/, "");
  const words = last === undefined ? [] : [...segment.words.slice(0, -1), { ...last, text: bare(last.text) }];
  return { ...segment, text: bare(segment.text), words };
}

/** The segment with another beginning, at most shorter. Its words are adjusted. */
function withStart(segment: Segment, text: string): Segment {
  if (text === segment.text) return segment;
  const shorter = segment.text.length - text.length;
  const [first, ...rest] = segment.words;
  if (first === undefined) return { ...segment, text };
  const begun: Word = { ...first, text: text.slice(0, Math.max(first.text.length - shorter, 0)) };
  return { ...segment, text, words: [begun, ...rest].filter((word) => word.text !== "") };
}
