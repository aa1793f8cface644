/** The search as typed and chosen. */
export interface SearchFields {
  /** As typed. */
  query: string;
  /** A language without its region; "" for any. */
  language: string;
  /** Days ("2026-03-01"), the last one included; "" for any. */
  from: string;
  to: string;
}

export const emptyFields: SearchFields = { query: "", language: "", from: "", to: "" };

/** Hits per page. */
export const pageSize = 20;

export const isBlank = ({ query }: Pick<SearchFields, "query">): boolean => query.trim() === "";

/** The address ignores spaces around the query, but the field keeps them while the person types the next word. */
export function isSame(a: SearchFields, b: SearchFields): boolean {
  return a.query.trim() === b.query.trim() && a.language === b.language && a.from === b.from && a.to === b.to;
}
