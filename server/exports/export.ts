import * as v from "valibot";
import {
  CaptionColumns,
  captionColumns,
  ExportContent,
  ExportFormat,
  type ExportLook,
  type Note,
  shownOf,
  type Transcription,
  talkTimes,
  usualLook,
} from "#contract/index.ts";
import { FileTitle } from "#server/transcription/file-title.ts";
import { asHtml } from "./html-document.ts";
import { labelsFor } from "./labels.ts";
import { asMarkdown } from "./markdown-document.ts";
import type { Read } from "./reading.ts";
import { asSubRip, asWebVtt } from "./subtitles/formats.ts";
import { asText } from "./text-file.ts";

export interface Exported {
  body: string | Uint8Array<ArrayBuffer>;
  type: string;
}

export interface ExportOptions {
  format: ExportFormat;
  /** JSON has everything, whatever is wanted. */
  content: ExportContent;
  /** Of the interface ("pt-BR"), for labels such as "Speaker 1"; English if unavailable. */
  language: string;
  /** Default: as the format usually looks. */
  look?: ExportLook;
}

const Flag = v.pipe(
  v.picklist(["0", "1"]),
  v.transform((flag) => flag === "1"),
);
/** How a file is to look (ExportLook) in an address: "0" or "1", and digits. */
const exportLookQuery = {
  speakers: v.optional(Flag, "1"),
  times: v.optional(Flag),
  lineLength: v.optional(
    v.pipe(v.string(), v.regex(/^\d{1,3}$/), v.transform(Number), CaptionColumns),
    String(captionColumns.usual),
  ),
  lines: v.optional(
    v.pipe(
      v.picklist(["1", "2"]),
      v.transform((lines) => (lines === "1" ? 1 : 2)),
    ),
    "2",
  ),
};

/** The query of an export. `lng`: of labels such as "Speaker 1". */
export const ExportQuery = v.object({
  format: ExportFormat,
  content: v.optional(ExportContent, "both"),
  lng: v.optional(v.string(), "en"),
  name: FileTitle,
  ...exportLookQuery,
});

/** Of the formats that can have times, which do where nobody says it. */
const timed: ReadonlySet<ExportFormat> = new Set(["md", "html", "docx", "pdf"]);

/** Exports a transcription in one of the formats. @param notes of passages, for the formats that have them */
export async function exportTranscription(
  transcription: Transcription,
  { format, content, language, look = usualLook }: ExportOptions,
  notes: readonly Note[] = [],
): Promise<Exported> {
  const labels = labelsFor(language);
  const whole = look.speakers ? transcription : withoutSpeakers(transcription);
  const read = { shown: shownOf(whole, content), whole, labels, notes, times: look.times ?? timed.has(format) };
  switch (format) {
    case "txt":
      return { body: asText(read.shown, labels, read.times), type: "text/plain; charset=utf-8" };
    case "md":
      return { body: asMarkdown(read), type: "text/markdown; charset=utf-8" };
    case "html":
      // No browser shows it as a page of this server's.
      return { body: asHtml(read), type: "application/octet-stream" };
    case "srt":
      return { body: asSubRip(whole, { labels, content, look }), type: "application/x-subrip; charset=utf-8" };
    case "vtt":
      return { body: asWebVtt(whole, { labels, content, look }), type: "text/vtt; charset=utf-8" };
    case "docx":
      return {
        body: await asDocx(read),
        type: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
      };
    case "pdf":
      return { body: await asPdf(read), type: "application/pdf" };
    case "json":
      return { body: asJson(transcription), type: "application/json; charset=utf-8" };
  }
}

/** The library is large: loaded on demand. */
async function asDocx(read: Read): Promise<Uint8Array<ArrayBuffer>> {
  const { makeDocx } = await import("./docx-document.ts");
  return Uint8Array.from(await makeDocx(read));
}

/** So is this one. */
async function asPdf(read: Read): Promise<Uint8Array<ArrayBuffer>> {
  const { makePdf } = await import("./pdf/document.ts");
  return makePdf(read);
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
