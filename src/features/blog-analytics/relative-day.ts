import { regional, withOrdinal } from "#src/i18n/format.ts";

const dayMs = 24 * 60 * 60 * 1000;

/**
 * How long ago a day is: "today", "yesterday", "5 days ago"; a date from one month on.
 * @param day ISO 8601; its UTC day counts
 * @param today "2026-03-20"
 */
export function relativeDay(day: string, today: string, locale: string): string {
  const [at, now] = [Date.parse(day.slice(0, 10)), Date.parse(today)];
  if (Number.isNaN(at)) return day;
  const ago = Math.round((now - at) / dayMs);
  if (ago >= 0 && ago < 31) return new Intl.RelativeTimeFormat(locale, { numeric: "auto" }).format(-ago, "day");
  return withOrdinal(new Intl.DateTimeFormat(regional(locale), { dateStyle: "long", timeZone: "UTC" }).format(at), locale);
}
