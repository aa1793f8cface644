import * as v from "valibot";
import type { Read } from "#contract/exports/reading.ts";
import { isTextFormat, readFor, textExport } from "#contract/exports/text-formats.ts";
import {
  CaptionColumns,
  captionColumns,
  ExportContent,
  ExportFormat,
  type ExportLook,
  type Note,
  type Transcription,
  usualLook,
} from "#contract/index.ts";
import { FileTitle } from "#server/transcription/file-title.ts";
import { asHtml } from "./html-document.ts";
import { labelsFor } from "./labels.ts";

export interface Exported {
  body: string | Uint8Array<ArrayBuffer>;
  type: string;
}

export interface ExportOptions {
  format: ExportFormat;
  /** JSON has everything, regardless of this. */
  content: ExportContent;
  /** The language of the interface ("pt-BR"), for labels such as "Speaker 1"; English if unavailable. */
  language: string;
  /** Default: as the format usually looks. */
  look?: ExportLook;
}

const Flag = v.pipe(
  v.picklist(["0", "1"]),
  v.transform((flag) => flag === "1"),
);
/** The layout of a file (ExportLook) in an address: "0" or "1", and digits. */
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

/** Exports a transcription in one of the formats. @param notes of passages, for the formats that have them */
export async function exportTranscription(
  transcription: Transcription,
  { format, content, language, look = usualLook }: ExportOptions,
  notes: readonly Note[] = [],
): Promise<Exported> {
  const wanted = { format, content, look, labels: labelsFor(language), notes };
  if (isTextFormat(format)) return textExport(transcription, { ...wanted, format });
  const read = readFor(transcription, wanted);
  switch (format) {
    case "html":
      // So that no browser shows it as a page of this server.
      return { body: asHtml(read), type: "application/octet-stream" };
    case "docx":
      return {
        body: await asDocx(read),
        type: "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
      };
    case "pdf":
      return { body: await asPdf(read), type: "application/pdf" };
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
