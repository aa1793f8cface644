import { captionColumns, type ExportContent, type ExportFormat, type ExportLook } from "#contract/index.ts";

/** What somebody wants of a file, kept for the next one. */
export interface ExportChoice {
  format: ExportFormat;
  content: ExportContent;
  speakers: boolean;
  /** The formats that are to have times. */
  timed: readonly ExportFormat[];
  /** As typed: columns of a subtitle's line. */
  columns: string;
  lines: ExportLook["lines"];
}

/** A file that is wanted. */
export interface ExportRequest {
  format: ExportFormat;
  content: ExportContent;
  look: ExportLook;
}

export const usualChoice: ExportChoice = {
  format: "pdf",
  content: "both",
  speakers: true,
  timed: ["md", "html", "docx", "pdf"],
  columns: String(captionColumns.usual),
  lines: 2,
};

/** Subtitles, whose lines have a length, and which always have times. */
export const isCaptions = (format: ExportFormat): boolean => format === "srt" || format === "vtt";
/** Data has everything; subtitles have their times. */
export const mayHaveTimes = (format: ExportFormat): boolean => format !== "json" && !isCaptions(format);

/** @returns how many columns are meant; null for what is no number of them */
export function columnsIn(text: string): number | null {
  const columns = /^\s*\d{1,3}\s*$/.test(text) ? Number(text) : Number.NaN;
  return columns >= captionColumns.min && columns <= captionColumns.max ? columns : null;
}

/** How a file in this format is to look. */
export function lookOf({ speakers, timed, columns, lines }: ExportChoice, format: ExportFormat): ExportLook {
  return {
    speakers,
    ...(mayHaveTimes(format) && { times: timed.includes(format) }),
    lineLength: columnsIn(columns) ?? captionColumns.usual,
    lines,
  };
}
