import * as v from "valibot";

/** Limits of a subtitle line in columns: fewer can't hold a long word, more don't fit on a screen. */
export const captionColumns = { min: 20, max: 80, usual: 42 } as const;

/** Most lines of a subtitle; with both languages, each has one line. */
export const captionLines = [1, 2] as const;

export const CaptionColumns = v.pipe(v.number(), v.integer(), v.minValue(captionColumns.min), v.maxValue(captionColumns.max));

/** The look of an exported file. A format uses the options that apply to it; JSON always contains everything. */
const look = {
  speakers: v.optional(v.boolean(), true),
  /**
   * Whether documents and texts show the times of passages; absent: the format's default. Subtitles and captions always
   * do.
   */
  times: v.optional(v.boolean()),
  /**
   * Line length of subtitles, in columns. A full-width character takes two; languages with such characters have
   * proportionally shorter lines.
   */
  lineLength: v.optional(CaptionColumns, captionColumns.usual),
  lines: v.optional(v.picklist(captionLines), 2),
};

export const ExportLook = v.object(look);
export type ExportLook = v.InferOutput<typeof ExportLook>;
/** For the body of a request. */
export const exportLookEntries = look;

/** The default look. */
export const usualLook: ExportLook = { speakers: true, lineLength: captionColumns.usual, lines: 2 };

/** The look as a URL's query; defaults are left out. */
export function lookQuery({ speakers, times, lineLength, lines }: ExportLook): Record<string, string> {
  return {
    ...(!speakers && { speakers: "0" }),
    ...(times !== undefined && { times: times ? "1" : "0" }),
    ...(lineLength !== captionColumns.usual && { lineLength: String(lineLength) }),
    ...(lines !== 2 && { lines: String(lines) }),
  };
}
