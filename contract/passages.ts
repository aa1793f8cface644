import { append, largest } from "./lists.ts";
import type { Segment, Word } from "./transcription.ts";
import type { Passage, Regroup, WordMark } from "./transcription-update.ts";

/** Scripts without spaces between words. */
const unspaced = String.raw`[\p{scx=Han}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmr}\p{scx=Mymr}]`;
/** A letter of such a script. */
export const unspacedLetter = new RegExp(unspaced, "u");
const unspacedSeam = new RegExp(`${unspaced}\n${unspaced}`, "u");

/** Joins consecutive texts. Between words of scripts without spaces, no space is added. */
export function joinedText(texts: readonly string[]): string {
  const parts = texts.map((text) => text.trim()).filter((text) => text !== "");
  const joined = parts.map((part, at) => {
    const before = parts[at - 1];
    return before === undefined || unspacedSeam.test(`${before.slice(-2)}\n${part.slice(0, 2)}`) ? part : ` ${part}`;
  });
  return joined.join("");
}

/**
 * Whether these segments can be joined. Segments of several turns of a conversation, or in several languages, can't.
 */
export function canJoin([first, ...others]: readonly Segment[]): boolean {
  return others.every(
    ({ turn, language, translationLanguage }) =>
      turn === first?.turn && language === first?.language && translationLanguage === first?.translationLanguage,
  );
}

/**
 * Joins segments, with the speaker of the first. The translation is that of all, if all have one.
 * @param segments at least one
 */
export function joinedSegment(segments: readonly Segment[]): Segment {
  const [first, ...rest] = segments;
  if (first === undefined) throw new RangeError("A segment must have words.");
  if (rest.length === 0) return first;
  const { heard: _, ...same } = withTranslation(first, joinedTranslation(segments));
  return {
    ...same,
    end: largest(segments.map(({ end }) => end)),
    text: joinedText(segments.map(({ text }) => text)),
    words: segments.flatMap(({ words }) => words),
    ...othersOf(segments),
  };
}

/** The conflicts of all these segments. */
function othersOf(segments: readonly Segment[]): Pick<Segment, "others"> {
  const others = segments.flatMap((segment) => segment.others ?? []);
  return others.length === 0 ? {} : { others };
}

function joinedTranslation(segments: readonly Segment[]): string | undefined {
  const translations = segments.flatMap(({ translation }) => (translation === undefined ? [] : [translation]));
  return translations.length === segments.length ? joinedText(translations) : undefined;
}

function withTranslation(segment: Segment, translation: string | undefined): Segment {
  const { translation: _, ...bare } = segment;
  return translation === undefined ? bare : { ...bare, translation };
}

/** The offset of each word in its segment's text; undefined where text and words differ. */
function placesOf({ text, words }: Pick<Segment, "text" | "words">): number[] | undefined {
  const places: number[] = [];
  let at = 0;
  for (const word of words) {
    const place = text.indexOf(word.text, at);
    if (place < 0 || hasLetters(text.slice(at, place))) return undefined;
    places.push(place);
    at = place + word.text.length;
  }
  return words.length === 0 || hasLetters(text.slice(at)) ? undefined : places;
}

const hasLetters = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);
const bare = (text: string): string => text.replaceAll(/\s+/gu, "");
const milliseconds = (seconds: number): number => Math.round(seconds * 1000) / 1000;

/** Words with a lower posterior are marked for review. */
const unsureBelow = 0.3;
export const isUnsure = ({ confidence }: Word): boolean => confidence !== undefined && confidence < unsureBelow;

/** The offset of each word in its segment's text; approximate where an engine's words differ from its text. */
export function wordStarts({ text, words }: Pick<Segment, "text" | "words">): number[] {
  let at = 0;
  return words.map((word) => {
    const found = text.indexOf(word.text, at);
    if (found < 0) return at;
    at = found + word.text.length;
    return found;
  });
}

/** Sets the confidence of words that a user has marked as right or wrong. */
export function markedSegments(segments: readonly Segment[], marks: readonly WordMark[]): readonly Segment[] {
  if (marks.length === 0) return segments;
  const byTime = new Map(marks.map((mark) => [`${mark.start} ${mark.text}`, mark]));
  const markOf = ({ start, text }: Word) => byTime.get(`${start} ${text}`);
  return segments.map((segment) => {
    if (!segment.words.some((word) => markOf(word) !== undefined)) return segment;
    return { ...segment, words: segment.words.map((word) => markedWord(word, markOf(word))) };
  });
}

function markedWord(word: Word, mark: WordMark | undefined): Word {
  if (mark === undefined) return word;
  const { confidence: _, ...others } = word;
  return mark.confidence === null ? others : { ...others, confidence: mark.confidence };
}

export type Rewrite = (segment: Segment, text: string) => Segment;

/**
 * The segments after splitting and merging.
 * @param regroups sorted by index, without overlaps
 * @param rewrite corrects the text of segments, where it changes, too
 */
export function regroupedSegments(segments: readonly Segment[], regroups: readonly Regroup[], rewrite: Rewrite): Segment[] {
  const result: Segment[] = [];
  let next = 0;
  for (const { index, count, passages } of regroups) {
    const before = segments.slice(index, index + count);
    if (before.length === 0) continue;
    append(result, segments.slice(next, index));
    append(result, passagesOf(before, passages, rewrite));
    next = index + count;
  }
  return result.concat(segments.slice(next));
}

/** The passages that replace some segments. */
function passagesOf(before: readonly Segment[], passages: readonly Passage[], rewrite: Rewrite): Segment[] {
  const joined = joinedSegment(before);
  const texts = passages.map(({ text }) => text);
  const text = joinedText(texts);
  const isSame = bare(text) === bare(joined.text);
  const isTimed = isSame && (joined.words.length === 0 || placesOf({ ...joined, text }) !== undefined);
  const whole = isTimed ? { ...joined, text } : rewrite(joined, text);
  const cut = cutSegment(whole, texts);
  const origins = isSame ? originsOf(before, texts) : [];
  let from = joined.start;
  return passages.map(({ text: own, speaker, translation, span }, at) => {
    const origin = origins[at] ?? [];
    const [only] = origin;
    const part = origin.length === 1 && only !== undefined ? only : { ...(cut[at] ?? whole), text: own };
    const translated = withTranslation(part, translation ?? (origin.length > 0 ? joinedTranslation(origin) : undefined));
    const { speaker: _, others: _others, ...nobody } = placed(translated, span, from, joined.end);
    from = nobody.start;
    // Conflicts stay with the first passage.
    return { ...nobody, ...(speaker !== null && { speaker }), ...(at === 0 && othersOf(before)) };
  });
}

/** Restores a former span, if it is within the replaced segments. */
function placed(segment: Segment, span: Passage["span"], from: number, to: number): Segment {
  if (span === undefined || span[0] < from || span[1] > to || span[0] > span[1]) return segment;
  return { ...segment, start: span[0], end: span[1] };
}

/** The segments that each text consists of exactly; empty for a text with other borders. */
function originsOf(before: readonly Segment[], texts: readonly string[]): Segment[][] {
  const borders = new Map<number, number>([[0, 0]]);
  let at = 0;
  for (const [index, { text }] of before.entries()) {
    at += bare(text).length;
    borders.set(at, index + 1);
  }
  let end = 0;
  return texts.map((text) => {
    const first = end === 0 ? 0 : borders.get(end);
    end += bare(text).length;
    const last = borders.get(end);
    return first === undefined || last === undefined ? [] : before.slice(first, last);
  });
}

/** Cuts a segment into consecutive texts: by its words, or, without words, by the lengths of the texts. */
export function cutSegment(segment: Segment, texts: readonly string[]): Segment[] {
  const { heard: _, ...whole } = withTranslation(segment, undefined);
  if (texts.length === 1) return [segment];
  const ends = endsOf(segment.text, texts);
  const places = placesOf(segment);
  if (places === undefined) return byLength(whole, texts);
  const words = texts.map((): Word[] => []);
  for (const [index, word] of segment.words.entries()) {
    for (const { part, piece } of divided(word, places[index] ?? 0, ends)) words[part]?.push(piece);
  }
  let from = segment.start;
  return texts.map((text, part) => {
    const own = words[part] ?? [];
    const start = part === 0 ? segment.start : Math.max(from, own[0]?.start ?? from);
    const end = part === texts.length - 1 ? segment.end : (own.at(-1)?.end ?? start);
    from = Math.max(start, end);
    return { ...whole, start, end: Math.max(start, end), text, words: own };
  });
}

/** The offset in the whole text at which each part ends. */
function endsOf(whole: string, texts: readonly string[]): number[] {
  let at = 0;
  return texts.map((text) => {
    const place = whole.indexOf(text, at);
    at = (place < 0 ? at : place) + text.length;
    return at;
  });
}

/**
 * A word, divided by the parts that it belongs to. The halves of a cut word share its time, and lose their recognized
 * form.
 */
function divided(word: Word, place: number, ends: readonly number[]): { part: number; piece: Word }[] {
  const { text, start, end, heard: _, ...others } = word;
  const pieces: { part: number; piece: Word }[] = [];
  let from = 0;
  for (const [part, border] of ends.entries()) {
    const to = Math.min(text.length, border - place);
    if (to <= from) continue;
    const piece = text.slice(from, to).trim();
    const at = (offset: number) => milliseconds(start + ((end - start) * offset) / text.length);
    if (piece !== "") pieces.push({ part, piece: { ...others, text: piece, start: at(from), end: at(to) } });
    from = to;
  }
  const [only, ...more] = pieces;
  return only === undefined ? [{ part: ends.length - 1, piece: word }] : more.length === 0 ? [{ ...only, piece: word }] : pieces;
}

function byLength(segment: Segment, texts: readonly string[]): Segment[] {
  const letters = texts.reduce((sum, text) => sum + text.length, 0) || 1;
  let before = 0;
  // A rounded time may be just outside of a segment whose own times are not rounded.
  const within = (seconds: number) => Math.min(Math.max(seconds, segment.start), segment.end);
  const at = (offset: number) => within(milliseconds(segment.start + ((segment.end - segment.start) * offset) / letters));
  return texts.map((text, part) => {
    const start = part === 0 ? segment.start : at(before);
    before += text.length;
    return { ...segment, start, end: part === texts.length - 1 ? segment.end : at(before), text, words: [] };
  });
}
