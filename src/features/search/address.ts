import type { SearchHit } from "#contract/index.ts";
import type { SearchFields } from "#machines/search/rules.ts";

/** What /search?… looks for. */
export interface SearchAddress {
  q?: string;
  language?: string;
  from?: string;
  to?: string;
}

/** Of an address, what can be looked for; the rest is passed over. What the router reads as a number was typed as one. */
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

/** The address of what is looked for. */
export const addressOf = ({ query, ...filters }: SearchFields): SearchAddress => searchIn({ ...filters, q: query.trim() });

/** The text of the two in which it was found. */
export const foundIn = ({ text, marks, translation }: SearchHit) =>
  marks.length === 0 && translation !== null ? translation : { text, marks };

/** Of the address of a hit's transcript: its passage, and the word that was found there, which is marked. */
export function placeOf(hit: SearchHit): { at?: number; find?: string } {
  const { text, marks } = foundIn(hit);
  const [mark] = marks;
  return hit.start === null ? {} : { at: hit.start, ...(mark !== undefined && { find: text.slice(mark[0], mark[1]) }) };
}
