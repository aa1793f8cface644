import type { ExportLook } from "#contract/exports.ts";
import type { Note } from "#contract/notes.ts";
import { shownOf } from "#contract/plain-text.ts";
import { talkTimes } from "#contract/spans.ts";
import type { ExportContent, ExportFormat, Transcription } from "#contract/transcription.ts";
import type { Labels } from "./labels.ts";
import { asMarkdown } from "./markdown-document.ts";
import type { Read } from "./reading.ts";
import { asSubRip, asWebVtt } from "./subtitles/formats.ts";
import { asText } from "./text-file.ts";

/** Text formats need no library, so the page can make them itself from a text that the server can't read. */
export const textFormats = ["txt", "md", "srt", "vtt", "json"] as const;
export type TextFormat = (typeof textFormats)[number];

export const isTextFormat = (format: ExportFormat): format is TextFormat => textFormats.some((one) => one === format);

interface Wanted<Format extends ExportFormat> {
  format: Format;
  /** Ignored by JSON, which has everything. */
  content: ExportContent;
  look: ExportLook;
  labels: Labels;
  /** Notes of passages, for the formats that have them. */
  notes: readonly Note[];
}

/** Formats that show times by default. */
const timed: ReadonlySet<ExportFormat> = new Set(["md", "html", "docx", "pdf"]);

/** A transcription in the form for documents of this format. */
export function readFor(transcription: Transcription, { format, content, look, labels, notes }: Wanted<ExportFormat>): Read {
  const whole = look.speakers ? transcription : withoutSpeakers(transcription);
  return { shown: shownOf(whole, content), whole, labels, notes, times: look.times ?? timed.has(format) };
}

/** @returns the file's text, and its content type */
export function textExport(transcription: Transcription, wanted: Wanted<TextFormat>): { body: string; type: string } {
  const { format, content, look, labels } = wanted;
  const read = readFor(transcription, wanted);
  switch (format) {
    case "txt":
      return { body: asText(read.shown, labels, read.times), type: "text/plain; charset=utf-8" };
    case "md":
      return { body: asMarkdown(read), type: "text/markdown; charset=utf-8" };
    case "srt":
      return { body: asSubRip(read.whole, { labels, content, look }), type: "application/x-subrip; charset=utf-8" };
    case "vtt":
      return { body: asWebVtt(read.whole, { labels, content, look }), type: "text/vtt; charset=utf-8" };
    case "json":
      return { body: asJson(transcription), type: "application/json; charset=utf-8" };
  }
}

function withoutSpeakers(transcription: Transcription): Transcription {
  return { ...transcription, segments: transcription.segments.map(({ speaker: _, ...segment }) => segment) };
}

function asJson(transcription: Transcription): string {
  const { title, date, sourceLanguage, targetLanguage, durationSeconds, engine, text, translatedText, segments } = transcription;
  const facts = { title, date, sourceLanguage, targetLanguage, durationSeconds, engine, text, translatedText };
  const speakers = talkTimes(segments);
  return `${JSON.stringify({ ...facts, ...(speakers.length > 0 && { speakers }), segments }, null, 2)}\n`;
}
