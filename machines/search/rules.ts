/** What is looked for, as it was typed and chosen. */
export interface SearchFields {
  /** As typed. */
  query: string;
  /** A language without its region; "" for any. */
  language: string;
  /** Days ("2026-03-01"), the second one included; "" for any. */
  from: string;
  to: string;
}

export const emptyFields: SearchFields = { query: "", language: "", from: "", to: "" };

/** Hits of a page. */
export const pageSize = 20;

export const isBlank = ({ query }: Pick<SearchFields, "query">): boolean => query.trim() === "";

/** Spaces around the query are not in the address: the field keeps them while somebody types the next word. */
export function isSame(a: SearchFields, b: SearchFields): boolean {
  return a.query.trim() === b.query.trim() && a.language === b.language && a.from === b.from && a.to === b.to;
}
