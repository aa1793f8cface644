import type { SearchWanted } from "#machines/search/rules.ts";

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
export const addressOf = ({ query, ...filters }: SearchWanted): SearchAddress => searchIn({ ...filters, q: query.trim() });
