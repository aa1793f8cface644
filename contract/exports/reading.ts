import { type Note, oneLine, quoteAt, type Transcription, titleOf } from "#contract/index.ts";
import { dateTimeUtc, type Labels, languageName, speakerName } from "./labels.ts";
import { clock, talkTimeOf } from "./talk-time.ts";

/** What a document of a transcript is made of. */
export interface Read {
  /** As it is to be shown: in one of its languages, or in both. */
  shown: Transcription;
  /** Whose facts stand below the title. */
  whole: Transcription;
  labels: Labels;
  notes: readonly Note[];
  /** Whether passages have their times. */
  times: boolean;
}

export const titleIn = ({ whole, labels }: Read): string => oneLine(titleOf(whole)) || labels.untitled;

/** What stands below the title: labels and what they label. */
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

/** A passage as a document shows it. */
interface Passage {
  /** "1:05"; "" where times are not wanted. */
  time: string;
  /** Where it changes; "" otherwise. */
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

/** Characters of what a note quotes: five hundred notes may each be of the whole text. */
export const quoteLength = 1_000;

/** A note as a document shows it. */
interface NotePart {
  /** "0:05–0:09" */
  times: string;
  /** The colour's name; "" for none. */
  colour: string;
  /** What is said there now. */
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
