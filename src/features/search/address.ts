import type { SearchHit } from "#contract/index.ts";
import type { SearchFields } from "#machines/search/rules.ts";

/** The search parameters of /search. */
export interface SearchAddress {
  q?: string;
  language?: string;
  from?: string;
  to?: string;
}

/** Reads the search from an address and ignores the rest. The router turns typed digits into a number. */
export function searchIn({ q, language, from, to }: Record<string, unknown>): SearchAddress {
  const words = typeof q === "number" ? String(q) : q;
  return {
    ...(typeof words === "string" && words.trim() !== "" && { q: words }),
    ...(isLike(language, /^[a-z]{2,3}$/) && { language }),
    ...(isLike(from, day) && { from }),
    ...(isLike(to, day) && { to }),
  };
}

const day = /^\d{4}-\d\d-\d\d$/;
const isLike = (given: unknown, pattern: RegExp): given is string => typeof given === "string" && pattern.test(given);

/** The address of a search. */
export const addressOf = ({ query, ...filters }: SearchFields): SearchAddress => searchIn({ ...filters, q: query.trim() });

/** The text with the match: the original or the translation. */
export const foundIn = ({ text, marks, translation }: SearchHit) =>
  marks.length === 0 && translation !== null ? translation : { text, marks };

/** The address of a hit within its transcript: the passage, and the found word, which is highlighted there. */
export function placeOf(hit: SearchHit): { at?: number; find?: string } {
  const { text, marks } = foundIn(hit);
  const [mark] = marks;
  return hit.start === null ? {} : { at: hit.start, ...(mark !== undefined && { find: text.slice(mark[0], mark[1]) }) };
}
