import type { SearchFields } from "./rules.ts";

export type SearchEvent =
  /** The person types. */
  | { type: "query.changed"; query: string }
  /** The person chooses a language or dates. */
  | { type: "filters.changed"; filters: Partial<Omit<SearchFields, "query">> }
  /** The person searches now, or again. */
  | { type: "search.requested" }
  /** The page was opened at an address with a search. */
  | { type: "address.opened"; wanted: SearchFields }
  /** The person loads more hits. */
  | { type: "more.requested" };

/** Emitted to the page. */
export type SearchEmitted =
  /** The search has settled: the page puts it into the address. */
  { type: "wanted.settled"; wanted: SearchFields };
