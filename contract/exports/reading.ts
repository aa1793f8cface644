import { type Note, oneLine, quoteAt, type Transcription, titleOf } from "#contract/index.ts";
import { dateTimeUtc, type Labels, languageName, speakerName } from "./labels.ts";
import { clock, talkTimeOf } from "./talk-time.ts";

/** The content of a document. */
export interface Read {
  /** The transcription as shown: in one of its languages, or in both. */
  shown: Transcription;
  /** The transcription whose facts are below the title. */
  whole: Transcription;
  labels: Labels;
  notes: readonly Note[];
  /** Whether passages show their times. */
  times: boolean;
}

export const titleIn = ({ whole, labels }: Read): string => oneLine(titleOf(whole)) || labels.untitled;

/** The facts below the title: labels and values. */
export function factsIn({ whole, labels }: Read): [label: string, value: string][] {
  const { date, durationSeconds, sourceLanguage, targetLanguage, segments } = whole;
  const at = new Date(date);
  const talkTime = talkTimeOf(segments, labels);
  const facts: [string, string][] = [];
  if (!Number.isNaN(at.getTime())) facts.push([labels.date, dateTimeUtc(at, labels)]);
  if (durationSeconds !== null) facts.push([labels.length, clock(durationSeconds)]);
  if (sourceLanguage !== "auto") facts.push([labels.spoken, languageName(sourceLanguage, labels)]);
  if (targetLanguage !== null) facts.push([labels.translated, languageName(targetLanguage, labels)]);
  if (talkTime !== "") facts.push([labels.talkTime, talkTime]);
  return facts;
}

/** A passage in a document. */
interface Passage {
  /** "1:05"; "" without times. */
  time: string;
  /** The speaker where it changes; "" otherwise. */
  speaker: string;
  text: string;
  language: string | undefined;
  /** "" without one. */
  translation: string;
  translationLanguage: string | undefined;
}

export function passagesIn({ shown, labels, times }: Read): Passage[] {
  const spoken = shown.segments.filter(({ text }) => oneLine(text) !== "");
  const source = shown.sourceLanguage === "auto" ? undefined : shown.sourceLanguage;
  return spoken.map((segment, i) => ({
    time: times ? clock(segment.start) : "",
    speaker: segment.speaker === spoken[i - 1]?.speaker ? "" : speakerName(segment, labels),
    text: oneLine(segment.text),
    language: segment.language ?? source,
    translation: oneLine(segment.translation ?? ""),
    translationLanguage: segment.translationLanguage ?? shown.targetLanguage ?? undefined,
  }));
}

/** Most characters quoted by a note: five hundred notes may each cover the whole text. */
export const quoteLength = 1_000;

/** A note in a document. */
interface NotePart {
  /** "0:05–0:09" */
  times: string;
  /** Name of the color; "" for none. */
  colour: string;
  /** The current text of the passage. */
  quote: string;
  text: string;
}

export function notesIn({ shown, labels, notes }: Read): NotePart[] {
  return notes.map(({ start, end, colour, text }) => ({
    times: `${clock(start)}–${clock(end)}`,
    colour: colour === null ? "" : labels.colours[colour],
    quote: quoteAt(shown.segments, { start, end }, quoteLength),
    text: text.trim(),
  }));
}
