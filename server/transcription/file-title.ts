import * as v from "valibot";
import { fileTitle, type Titled, titleOf } from "#contract/index.ts";

/**
 * The name of a file without its extension, as the page would title an unnamed transcription, in the user's language
 * and time.
 */
export const FileTitle = v.optional(v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(400)));

/** The default file name without its extension. The day is UTC's. */
export function fileTitleOf(row: Titled): string {
  return fileTitle(row, titleOf(row) || row.title, row.date.slice(0, 10));
}
