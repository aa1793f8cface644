import { unspacedLetter, type Word } from "#contract/index.ts";
import { longestLetter, widthOf } from "./limits.ts";

/** An indivisible unit: a word with its punctuation. Times in seconds. */
export interface Unit {
  text: string;
  /** Whether a space precedes it. */
  spaced: boolean;
  start: number;
  end: number;
  /** Columns without the space. */
  width: number;
}

/** A segment's text on one line, with its times. */
export interface Said {
  text: string;
  language: string | undefined;
  start: number;
  end: number;
  /** If empty, the text is spread over the time by its letters. */
  words: readonly Word[];
}

/** The time of the letter at an offset. Spaces are not counted. */
interface Point {
  offset: number;
  time: number;
}

const opening = /^[\p{Ps}\p{Pi}¿¡]+$/u;

/** Divides speech into units with times. @param line columns that a unit must fit into */
export function unitsOf(said: Said, line: number): Unit[] {
  return timed(pieces(said.text, said.language, line), pointsOf(said));
}

interface TranslatedText {
  text: string;
  language: string | undefined;
  original: Said;
  /** Columns that a unit must fit into. */
  line: number;
}

/** A translation's units, spread over the time of the original by their letters. */
export function translatedUnits({ text, language, original, line }: TranslatedText): Unit[] {
  const parts = pieces(text, language, line);
  const letters = parts.reduce((sum, part) => sum + part.text.length, 0);
  const points = pointsOf(original);
  const scale = letters / Math.max(1, points.at(-1)?.offset ?? 1);
  return timed(
    parts,
    points.map(({ offset, time }) => ({ offset: offset * scale, time })),
  );
}

export interface Part {
  text: string;
  /** Whether a space precedes it. */
  spaced: boolean;
}

/** Divides a text into parts that stay on one line. @param line columns that a part must fit into */
export function pieces(text: string, language: string | undefined, line: number): Part[] {
  return text
    .split(/\s+/)
    .filter((word) => word !== "")
    .flatMap((word) => (unspacedLetter.test(word) ? wordsWithin(word, language) : [{ text: word, spaced: true }]))
    .flatMap((part) => (widthOf(part.text) <= line ? [part] : torn(part, line)));
}

function wordsWithin(text: string, language: string | undefined): Part[] {
  const parts: Part[] = [];
  let before = "";
  for (const { segment, isWordLike } of segmenterFor(language).segment(text)) {
    const last = parts.at(-1);
    if (opening.test(segment)) before += segment;
    else if (isWordLike === true || last === undefined || before !== "") {
      parts.push({ text: before + segment, spaced: parts.length === 0 });
      before = "";
    } else last.text += segment;
  }
  const last = parts.at(-1);
  if (last !== undefined) last.text += before;
  return parts.length > 0 ? parts : [{ text, spaced: true }];
}

const segmenters = new Map<string, Intl.Segmenter>();
function segmenterFor(language = "und"): Intl.Segmenter {
  const known = segmenters.get(language);
  if (known !== undefined) return known;
  // The language may be an engine's invention ("auto").
  const [valid = "und"] = Intl.Segmenter.supportedLocalesOf(isTag(language) ? language : "und");
  const made = new Intl.Segmenter(valid, { granularity: "word" });
  segmenters.set(language, made);
  return made;
}

function isTag(language: string): boolean {
  return /^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i.test(language);
}

/** Cuts a part that no line can hold (a URL, a word of a hundred letters) at the end of the line. */
function torn({ text, spaced }: Part, line: number): Part[] {
  const parts: Part[] = [{ text: "", spaced }];
  let width = 0;
  for (const letter of lettersOf(text)) {
    const wide = widthOf(letter);
    if (width + wide > line && width > 0) {
      parts.push({ text: "", spaced: false });
      width = 0;
    }
    const last = parts.at(-1);
    if (last !== undefined) last.text += letter;
    width += wide;
  }
  return parts;
}

/** Letters with their marks (UAX #29); anything longer than a letter can be is divided. */
function lettersOf(text: string): string[] {
  const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
  return Array.from(graphemes.segment(text), ({ segment }) => segment).flatMap((letter) =>
    letter.length <= longestLetter ? [letter] : (letter.match(longPieces) ?? []),
  );
}

const longPieces = new RegExp(`.{1,${longestLetter}}`, "gsu");

/** The times of the words at their offsets in the text. Words that a correction has removed are skipped. */
function pointsOf({ text, start, end, words }: Said): Point[] {
  const letters = text.replace(/\s+/g, "");
  const points: Point[] = [{ offset: 0, time: start }];
  let from = 0;
  for (const word of words) {
    const own = word.text.replace(/\s+/g, "");
    const at = own === "" ? -1 : letters.slice(from, from + own.length + farthest).indexOf(own);
    if (at < 0) continue;
    points.push({ offset: from + at, time: word.start }, { offset: from + at + own.length, time: word.end });
    from += at + own.length;
  }
  points.push({ offset: letters.length, time: end });
  let latest = start;
  return points.map(({ offset, time }) => {
    latest = Math.min(end, Math.max(latest, time));
    return { offset, time: latest };
  });
}

/** Most letters between two words with times. */
const farthest = 60;

function timed(parts: readonly Part[], points: readonly Point[]): Unit[] {
  let offset = 0;
  let before = 0;
  return parts.map(({ text, spaced }) => {
    const after = offset + text.length;
    // One word's end and the next word's start share an offset, but not a time.
    while ((points[before + 1]?.offset ?? Number.POSITIVE_INFINITY) <= offset + 1e-6) before += 1;
    const start = timeAt(points, before, offset);
    let until = before;
    while ((points[until + 1]?.offset ?? Number.POSITIVE_INFINITY) < after - 1e-6) until += 1;
    const end = timeAt(points, until, after);
    offset = after;
    return { text, spaced, start, end: Math.max(start, end), width: widthOf(text) };
  });
}

/** The time between the points `index` and `index + 1`. */
function timeAt(points: readonly Point[], index: number, offset: number): number {
  const from = points[index];
  const to = points[index + 1];
  if (from === undefined) return 0;
  if (to === undefined || to.offset <= from.offset) return from.time;
  return from.time + ((to.time - from.time) * (offset - from.offset)) / (to.offset - from.offset);
}
