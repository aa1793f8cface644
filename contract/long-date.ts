/**
 * A day in UTC as a person reads it: "1 March 2026"; French and Brazilians write a month's first day as Intl does not
 * ("1er mars 2026"). @param language an interface language, or a locale of it
 */
export function longDate(at: Date | number, language: string, style: Pick<Intl.DateTimeFormatOptions, "timeStyle"> = {}): string {
  const first = language.startsWith("fr") ? "1er" : language.startsWith("pt") ? "1º" : "1";
  const format = new Intl.DateTimeFormat(language, { dateStyle: "long", ...style, timeZone: "UTC" });
  return format.format(at).replace(/^1 (?=\p{L})/u, `${first} `);
}
