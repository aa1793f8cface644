import { captionColumns, type ExportContent, type ExportFormat, type ExportLook } from "#contract/index.ts";

/** The person's choice of options, stored for the next file. */
export interface ExportChoice {
  format: ExportFormat;
  content: ExportContent;
  speakers: boolean;
  /** The formats with times. */
  timed: readonly ExportFormat[];
  /** Columns of a subtitle line, as typed. */
  columns: string;
  lines: ExportLook["lines"];
}

/** The file that the person wants. */
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

/** Subtitle formats: their lines have a length, and they always have times. */
export const isCaptions = (format: ExportFormat): boolean => format === "srt" || format === "vtt";
/** JSON has everything, and subtitles always have their times. */
export const mayHaveTimes = (format: ExportFormat): boolean => format !== "json" && !isCaptions(format);

/** @returns the number of columns; null if the text is not a valid number */
export function columnsIn(text: string): number | null {
  const columns = /^\s*\d{1,3}\s*$/.test(text) ? Number(text) : Number.NaN;
  return columns >= captionColumns.min && columns <= captionColumns.max ? columns : null;
}

/** The appearance of a file in this format. */
export function lookOf({ speakers, timed, columns, lines }: ExportChoice, format: ExportFormat): ExportLook {
  return {
    speakers,
    ...(mayHaveTimes(format) && { times: timed.includes(format) }),
    lineLength: columnsIn(columns) ?? captionColumns.usual,
    lines,
  };
}
