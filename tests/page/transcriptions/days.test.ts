import { expect, test } from "vitest";
import { linesByDay } from "#src/features/transcriptions/days.ts";
import { row } from "#tests/machines/harness.ts";

/** Noon of a day in March 2026, in the test's time zone. */
const noon = (day: number, year = 2026) => new Date(year, 2, day, 12).toISOString();
const now = new Date(2026, 2, 10, 0, 30).getTime();

test.each([
  ["en-GB", ["Today", "Yesterday", "Sunday 8 March", "10 March 2025"]],
  ["de", ["Heute", "Gestern", "Sonntag, 8. März", "10. März 2025"]],
  ["es", ["Hoy", "Ayer", "Domingo, 8 de marzo", "10 de marzo de 2025"]],
])("puts rows in %s below the headings of their days", (language, days) => {
  const dates = [noon(10), noon(10), noon(9), noon(8), noon(10, 2025)];
  const lines = linesByDay(
    dates.map((date, at) => row(at, { id: String(at), date })),
    now,
    language,
  );
  expect(lines.map(({ day, item, at }) => item?.id ?? `${day} from ${at}`)).toEqual([
    `${days[0]} from 0`,
    "0",
    "1",
    `${days[1]} from 2`,
    "2",
    `${days[2]} from 3`,
    "3",
    `${days[3]} from 4`,
    "4",
  ]);
});

test("shows rows without a date without a heading", () => {
  expect(linesByDay([row(1, { date: "" })], now, "en")).toMatchObject([{ day: "", item: { date: "" }, at: 0 }]);
});
