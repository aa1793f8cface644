import { expect, test } from "vitest";
import { rowTitles, shownFileTitle, shownTitle, wholeTitle } from "#src/features/transcriptions/shown-title.ts";
import { dateTime } from "#src/i18n/format.ts";
import { row } from "#tests/machines/harness.ts";

const date = "2026-03-01T10:00:00.000Z";
const shown = (title: string, origin: "dictation" | null = "dictation", at = date, text = "") =>
  shownTitle({ title, origin, date: at, text, sourceLanguage: "en" }, (key) => key, "en");

test("titles a row without words by its kind and date", () => {
  expect(shown("A talk")).toBe("A talk");
  expect(shown("2026-03-01 10:00 and later")).toBe("2026-03-01 10:00 and later");
  const when = dateTime(date, "en");
  expect([shown(""), shown("2026-03-01 10:00")]).toEqual([`history.dictation, ${when}`, `history.dictation, ${when}`]);
  expect(shown("", null)).toBe(when);
  // A server that sends no date.
  expect([shown("", null, ""), shown("2026-03-01 10:00", null, "")]).toEqual(["history.untitled", "2026-03-01 10:00"]);
});

test("titles an unnamed row by its first words, and an exported file also by the local day", () => {
  expect(shown("2026-03-01 10:00", "dictation", date, "Um, hello everyone, the budget is short.")).toBe("The budget is short");
  const named = (title: string, text: string) =>
    shownFileTitle({ title, origin: "dictation", date, text, sourceLanguage: "en" }, (key) => key, "en");
  const day = new Date(date).toLocaleDateString("sv-SE");
  expect([named("", "The budget is short."), named("A talk", "The budget is short."), named("", "")]).toEqual([
    `${day} The budget is short`,
    "A talk",
    `history.dictation, ${dateTime(date, "en")}`,
  ]);
});

test("numbers rows with equal titles of the same minute, the earliest first", () => {
  const rows = [
    row(1, { id: "c", title: "Stand-up", date: "2026-03-01T10:00:40.000Z" }),
    row(2, { id: "b", title: "Stand-up", date: "2026-03-01T10:00:00.000Z" }),
    row(3, { id: "a", title: "Stand-up", date: "2026-03-01T10:00:00.000Z" }),
    row(4, { id: "d", title: "Stand-up", date: "2026-03-01T10:01:00.000Z" }),
    row(5, { id: "e", title: "2026-03-01 10:00", text: "", date }),
    row(6, { id: "f", title: "", text: "", origin: null, date: "" }),
    row(7, { id: "g", title: "", text: "Um, hello everyone, the budget is short.", sourceLanguage: "en", date }),
  ];
  const titles = rowTitles(rows, (key) => key);
  const when = dateTime(date, "en");
  expect(rows.map(({ id, date: at }) => wholeTitle(titles.get(id) ?? { words: "", number: 0 }, at, "en"))).toEqual([
    `Stand-up, ${when} (3)`,
    `Stand-up, ${when} (2)`,
    `Stand-up, ${when}`,
    `Stand-up, ${dateTime("2026-03-01T10:01:00.000Z", "en")}`,
    `history.dictation, ${when}`,
    "history.untitled",
    `The budget is short, ${when}`,
  ]);
});
