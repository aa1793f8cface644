import * as v from "valibot";

/** Columns of a subtitle's line that can be asked for: fewer hold no long word, more fit on no screen. */
export const captionColumns = { min: 20, max: 80, usual: 42 } as const;

/** How many lines a subtitle has at most; with both languages it has one of each. */
export const captionLines = [1, 2] as const;

export const CaptionColumns = v.pipe(v.number(), v.integer(), v.minValue(captionColumns.min), v.maxValue(captionColumns.max));

/** How an exported file is to look. A format takes what makes sense in it; JSON has everything, whatever is asked for. */
const look = {
  speakers: v.optional(v.boolean(), true),
  /** When a passage is said, in documents and texts; absent: as the format usually has it. Subtitles and captions always do. */
  times: v.optional(v.boolean()),
  /** Of subtitles, in columns: a full-width character takes two, and languages with such have lines that are shorter in proportion. */
  lineLength: v.optional(CaptionColumns, captionColumns.usual),
  lines: v.optional(v.picklist(captionLines), 2),
};

export const ExportLook = v.object(look);
export type ExportLook = v.InferOutput<typeof ExportLook>;
/** For the body of a request. */
export const exportLookEntries = look;

/** Without saying anything. */
export const usualLook: ExportLook = { speakers: true, lineLength: captionColumns.usual, lines: 2 };

/** As an address has it; what is usual is not said. */
export function lookQuery({ speakers, times, lineLength, lines }: ExportLook): Record<string, string> {
  return {
    ...(!speakers && { speakers: "0" }),
    ...(times !== undefined && { times: times ? "1" : "0" }),
    ...(lineLength !== captionColumns.usual && { lineLength: String(lineLength) }),
    ...(lines !== 2 && { lines: String(lines) }),
  };
}
