/**
 * A day in UTC for readers: "1 March 2026". In French and Brazilian Portuguese, the first day of a month differs from
 * Intl ("1er mars 2026"). @param language an interface language, or a locale of it
 */
export function longDate(at: Date | number, language: string, style: Pick<Intl.DateTimeFormatOptions, "timeStyle"> = {}): string {
  const first = language.startsWith("fr") ? "1er" : language.startsWith("pt") ? "1º" : "1";
  const format = new Intl.DateTimeFormat(language, { dateStyle: "long", ...style, timeZone: "UTC" });
  return format.format(at).replace(/^1 (?=\p{L})/u, `${first} `);
}
