import * as v from "valibot";
import { fileTitle, type Titled, titleOf } from "#contract/index.ts";

/** What a file is to be called, without its ending: as the page titles what nobody has named, in the person's language and time. */
export const FileTitle = v.optional(v.pipe(v.string(), v.trim(), v.minLength(1), v.maxLength(400)));

/** What a file of it is called, without its ending, where nobody says it. The day is UTC's. */
export function fileTitleOf(row: Titled): string {
  return fileTitle(row, titleOf(row) || row.title, row.date.slice(0, 10));
}
