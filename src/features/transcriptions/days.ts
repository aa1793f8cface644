import { capitalized, type TranscriptionSummary } from "#contract/index.ts";
import { dayName } from "#src/i18n/format.ts";

/** A line of the list: a row, or (without an item) a day's heading. */
export interface Line {
  /** The day's name; "" if the order has no days. */
  day: string;
  item: TranscriptionSummary | null;
  /** The number of rows before this line. */
  at: number;
}

/**
 * The rows, with a heading before each day's first row.
 * @param now epoch ms
 * @param language of the interface
 */
export function linesByDay(items: readonly TranscriptionSummary[], now: number, language: string): Line[] {
  const lines: Line[] = [];
  let last = Number.NaN;
  let day = "";
  items.forEach((item, at) => {
    const begin = new Date(item.date).setHours(0, 0, 0, 0);
    if (begin !== last) {
      day = Number.isNaN(begin) ? "" : capitalized(dayName(begin, now, language));
      if (day !== "") lines.push({ day, item: null, at });
    }
    lines.push({ day, item, at });
    last = begin;
  });
  return lines;
}

/** The rows, in an order without days. */
export const linesOf = (items: readonly TranscriptionSummary[]): Line[] => items.map((item, at) => ({ day: "", item, at }));
