import type { SearchFields } from "./rules.ts";

export type SearchEvent =
  /** The person types. */
  | { type: "query.changed"; query: string }
  /** The person chooses a language, or days. */
  | { type: "filters.changed"; filters: Partial<Omit<SearchFields, "query">> }
  /** The person wants it now, or again. */
  | { type: "search.requested" }
  /** The page was opened at an address that says what to look for. */
  | { type: "address.opened"; wanted: SearchFields }
  /** The person wants the next hits. */
  | { type: "more.requested" };

/** Emitted to the page. */
export type SearchEmitted =
  /** It is looked for, or nothing any more: the address says so from now on. */
  { type: "wanted.settled"; wanted: SearchFields };
