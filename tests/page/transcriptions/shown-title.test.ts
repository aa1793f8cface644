import { expect, test } from "vitest";
import { shownFileTitle, shownTitle } from "#src/features/transcriptions/shown-title.ts";
import { dateTime } from "#src/i18n/format.ts";

const date = "2026-03-01T10:00:00.000Z";
const shown = (title: string, origin: "dictation" | null = "dictation", at = date, text = "") =>
  shownTitle({ title, origin, date: at, text, sourceLanguage: "en" }, (key) => key, "en");

test("what has no words is called by what it is and when it was made", () => {
  expect(shown("A talk")).toBe("A talk");
  expect(shown("2026-03-01 10:00 and later")).toBe("2026-03-01 10:00 and later");
  const when = dateTime(date, "en");
  expect([shown(""), shown("2026-03-01 10:00")]).toEqual([`history.dictation, ${when}`, `history.dictation, ${when}`]);
  expect(shown("", null)).toBe(when);
  // A server that knows no date.
  expect([shown("", null, ""), shown("2026-03-01 10:00", null, "")]).toEqual(["history.untitled", "2026-03-01 10:00"]);
});

test("what nobody has named is called by its first words, and a file of it by the day as well, where the person is", () => {
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
