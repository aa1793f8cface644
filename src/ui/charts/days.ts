import { regional, withOrdinal } from "#src/i18n/format.ts";

/**
 * Days as the labels of a chart: in full ("20 November 2026") and for the axis ("20 Nov").
 * @param days "2026-11-20", in UTC as the server counts them
 */
export function dayLabels(days: readonly string[], locale: string): { labels: string[]; axisLabels: string[] } {
  const full = new Intl.DateTimeFormat(regional(locale), { dateStyle: "long", timeZone: "UTC" });
  const short = new Intl.DateTimeFormat(regional(locale), { day: "numeric", month: "short", timeZone: "UTC" });
  const dates = days.map((day) => new Date(`${day}T00:00:00Z`));
  const written = (format: Intl.DateTimeFormat) => dates.map((day) => withOrdinal(format.format(day), locale));
  return { labels: written(full), axisLabels: written(short) };
}
