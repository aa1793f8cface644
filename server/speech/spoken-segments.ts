import type { Segment, Word } from "#contract/index.ts";
import type { Span } from "#speech/spread.ts";
import { segmentsFrom } from "#speech/words.ts";
import { place } from "./place.ts";
import { type SpokenAnswer, type SpokenSegment, type SpokenWord, textOfWords } from "./spoken-answer.ts";
import { placesOf, type WrittenWord, writeWords } from "./written-words.ts";

/** The replacement character, in the place of an unreadable letter. */
const unreadable = /\ufffd/g;

/**
 * The segments of a server's answer: sorted, without duplicates, within the sound, and with their words inside.
 * @param duration of the audio that was sent, in seconds
 */
export function segmentsFromAnswer(given: SpokenAnswer, duration: number): Segment[] {
  const sound = { start: 0, end: duration };
  const answer = inSeconds(given, duration);
  const segments = readable(answer);
  const spoken = segments.filter((segment) => !segment.isInvented);
  if (spoken.length > 0) return withWords(inTime(spoken, sound), answer.words, sound);
  if (segments.length > 0) return [];
  const text = answer.text.trim() === "" ? textOfWords(answer.words).replace(unreadable, "") : answer.text;
  const written = writeWords([text], placed(answer.words, text, sound)).flat();
  const words = timed(written, sound);
  const glued = new Set(words.filter((_, at) => written[at]?.isSpaced === false));
  return segmentsFrom(words).map((segment) => ({
    ...segment,
    text: segment.words.reduce((before, word) => `${before}${before === "" || glued.has(word) ? "" : " "}${word.text}`, ""),
  }));
}

/**
 * Converts times to seconds. LocalAI counts nanoseconds, other servers milliseconds: then most times lie after the end
 * of the sound, the latest far after it.
 */
function inSeconds({ text, segments, words }: SpokenAnswer, duration: number): SpokenAnswer {
  const all = [...segments, ...segments.flatMap((segment) => segment.words), ...words];
  const times = all.flatMap(({ start = 0, end = 0 }) => [start, end]).filter((time) => time > 0);
  const latest = times.reduce((last, time) => Math.max(last, time), 0);
  const unit = [1e9, 1e3].find((one) => latest > (one / 10) * Math.max(duration, 1));
  const isWithin = times.filter((time) => time <= duration).length * 2 > times.length;
  if (unit === undefined || isWithin) return { text, segments, words };
  const scaled = <Item extends Pick<SpokenWord, "start" | "end">>(item: Item): Item => ({
    ...item,
    start: item.start === undefined ? undefined : item.start / unit,
    end: item.end === undefined ? undefined : item.end / unit,
  });
  return {
    text,
    segments: segments.map((segment) => scaled({ ...segment, words: segment.words.map(scaled) })),
    words: words.map(scaled),
  };
}

/**
 * Rebuilds the texts of segments from the whole text, where a segment has unreadable letters that the whole text has.
 */
function readable({ text, segments }: SpokenAnswer): SpokenSegment[] {
  if (text.includes("\ufffd") || !segments.some((segment) => segment.text.includes("\ufffd"))) return segments;
  const places = placesOf(
    [...text.replace(/\s+/g, "")],
    segments.map((segment) => segment.text),
  ).values();
  const parts = segments.map(() => "");
  let current = 0;
  for (const letter of text) {
    const from = letter.trim() === "" ? undefined : places.next().value?.from;
    if (from !== undefined) current = Math.max(current, Math.floor(from));
    parts[current] += letter;
  }
  return segments
    .map((segment, at) => ({ ...segment, text: parts[at]?.trim() || segment.text.replace(unreadable, "") }))
    .filter((segment) => segment.text.trim() !== "");
}

type Placed = SpokenSegment & Span;

/** Segments in order of their starts. Those of one speaker don't overlap. */
function inTime(spoken: readonly SpokenSegment[], sound: Span): Placed[] {
  const sorted = inOrder(spoken.map((segment) => ({ ...segment, ...timesOf(segment) })));
  const bySpeaker = Map.groupBy(sorted, ({ speaker }) => speaker);
  const placed = [...bySpeaker.values()].flatMap((own) => {
    const spans = place(own, sound);
    return own.map((segment, at) => ({ ...segment, ...(spans[at] ?? sound) }));
  });
  return placed.sort((a, b) => a.start - b.start);
}

/** Takes the time from the words where a segment has no valid time. */
function timesOf({ start, end, words }: SpokenSegment): Pick<SpokenSegment, "start" | "end"> {
  const first = words.find((word) => word.start !== undefined)?.start;
  const last = words.findLast((word) => word.end !== undefined)?.end;
  const isReversed = start !== undefined && end !== undefined && end <= start;
  if (!isReversed) return { start: start ?? first, end: end ?? last };
  return first !== undefined && last !== undefined && first < last ? { start: first, end: last } : { start, end: undefined };
}

/** Sorts by start. An item without a start stays behind its predecessor. */
function inOrder<Item extends { start: number | undefined }>(items: readonly Item[]): Item[] {
  let last = Number.NEGATIVE_INFINITY;
  const keyed = items.map((item) => {
    last = item.start ?? last;
    return { item, key: last };
  });
  return keyed.sort((a, b) => a.key - b.key || 0).map(({ item }) => item);
}

/** Distributes words that are listed beside the segments to all segments. */
function withWords(segments: readonly Placed[], words: readonly SpokenWord[], sound: Span): Segment[] {
  const texts = segments.map(({ text }) => text);
  const hasOwn = segments.some((segment) => segment.words.length > 0);
  const all = hasOwn ? [] : writeWords(texts, placed(words, texts.join(" "), sound));
  return segments.map(({ text, speaker, ...segment }, at) => {
    const span = { start: segment.start, end: segment.end };
    const own = hasOwn ? writeWords([text], placed(segment.words, text, span)).flat() : (all[at] ?? []);
    return { ...span, text: text.trim().replace(/\s+/g, " "), words: timed(own, span), ...(speaker && { speaker }) };
  });
}

/** Spoken words in the order of the text, each with a time. */
function placed(words: readonly SpokenWord[], text: string, span: Span): (SpokenWord & Span)[] {
  const isInOrder = lettersOf(words.map((word) => word.text).join("")) === lettersOf(text);
  const ordered = isInOrder ? words : inOrder(words);
  const spans = place(ordered, span);
  return ordered.map((word, at) => ({ ...word, ...(spans[at] ?? span) }));
}

const lettersOf = (text: string): string => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, "");

function timed(words: readonly WrittenWord[], span: Span): Word[] {
  const spans = place(words, span);
  return words.map(({ text, confidence }, at) => ({
    text,
    ...(spans[at] ?? span),
    ...(confidence !== undefined && { confidence }),
  }));
}
