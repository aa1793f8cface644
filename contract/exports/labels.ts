import * as v from "valibot";
import { longDate } from "#contract/long-date.ts";
import { oneLine } from "#contract/plain-text.ts";
import type { Segment } from "#contract/transcription.ts";

const Text = v.string();

/** The labels of an exported file in one language: exports-file.json of that language. */
export const Labels = v.object({
  /** The interface language as a locale of Intl. */
  language: Text,
  speaker: Text,
  talkTime: Text,
  time: Text,
  date: Text,
  length: Text,
  spoken: Text,
  translated: Text,
  original: Text,
  translation: Text,
  untitled: Text,
  notes: Text,
  colours: v.object({ yellow: Text, green: Text, blue: Text, pink: Text }),
  colon: Text,
});
export type Labels = v.InferOutput<typeof Labels>;

/** A speaker's display name: "Speaker 1" for an engine's number; empty for none. */
export function speakerName({ speaker }: Pick<Segment, "speaker">, labels: Labels): string {
  if (speaker === undefined) return "";
  return /^\d+$/.test(speaker) ? `${labels.speaker} ${speaker}` : oneLine(speaker);
}

/** The name of a language code: "Spanish (Spain)" for "es-ES"; the code itself when unknown. */
export function languageName(code: string, { language }: Labels): string {
  try {
    return new Intl.DisplayNames([language], { type: "language", languageDisplay: "standard" }).of(code) ?? code;
  } catch {
    return code;
  }
}

/** A day with its time in UTC, for readers: "1er décembre 2026 à 14:05 UTC". */
export function dateTimeUtc(at: Date, { language }: Labels): string {
  return `${longDate(at, language, { timeStyle: "short" })} UTC`;
}
