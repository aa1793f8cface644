const dayMs = 24 * 60 * 60 * 1000;

/** The UTC day of a time: "2026-03-01". @param at epoch ms */
export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

/** Today and the `count - 1` days before it (UTC), oldest first. @param now epoch ms */
export function lastDays(now: number, count: number): string[] {
  return Array.from({ length: count }, (_, index) => dayOf(now - (count - 1 - index) * dayMs));
}

/**
 * A day in UTC as a person reads it: "1 March 2026"; French and Brazilians write a month's first day as Intl does not
 * ("1er mars 2026"). @param language an interface language, or a locale of it
 */
export function longDate(at: Date | number, language: string, style: Pick<Intl.DateTimeFormatOptions, "timeStyle"> = {}): string {
  const first = language.startsWith("fr") ? "1er" : language.startsWith("pt") ? "1º" : "1";
  const format = new Intl.DateTimeFormat(language, { dateStyle: "long", ...style, timeZone: "UTC" });
  return format.format(at).replace(/^1 (?=\p{L})/u, `${first} `);
}
