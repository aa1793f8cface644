import * as v from "valibot";
import { type LibraryView, noView } from "#machines/transcriptions/view.ts";

/** A choice in an address. An invalid value is ignored. */
const one = <const Options extends readonly [string, ...string[]]>(options: Options, usual: Options[number]) =>
  v.optional(v.fallback(v.picklist(options), usual), usual);
const text = (usual: string) => v.optional(v.fallback(v.string(), usual), usual);

/** The dashboard's search parameters: the state of its list, without default values. */
export const LibraryAddress = v.object({
  // The router turns typed digits into a number.
  q: v.optional(v.fallback(v.pipe(v.union([v.string(), v.number()]), v.transform(String)), noView.q), noView.q),
  language: text(noView.language),
  dateRange: one(["all", "today", "week", "month"], noView.dateRange),
  status: one(["all", "completed", "processing", "failed"], noView.status),
  folder: text(noView.folder),
  tags: v.optional(v.fallback(v.array(v.string()), []), []),
  favourites: v.optional(v.fallback(v.boolean(), noView.favourites), noView.favourites),
  sort: one(["newest", "oldest", "longest", "title"], noView.sort),
}) satisfies v.GenericSchema<unknown, LibraryView>;
