import { expect, test } from "vitest";
import { shownTitle } from "#src/features/transcriptions/shown-title.ts";
import { dateTime } from "#src/i18n/format.ts";

const date = "2026-03-01T10:00:00.000Z";
const shown = (title: string, origin: "dictation" | null = "dictation", at = date) =>
  shownTitle({ title, origin, date: at }, (key) => key, "en");

test("what has no words is called by what it is and when it was made", () => {
  expect(shown("A talk")).toBe("A talk");
  expect(shown("2026-03-01 10:00 and later")).toBe("2026-03-01 10:00 and later");
  const when = dateTime(date, "en");
  expect([shown(""), shown("2026-03-01 10:00")]).toEqual([`history.dictation, ${when}`, `history.dictation, ${when}`]);
  expect(shown("", null)).toBe(when);
  // A server that knows no date.
  expect([shown("", null, ""), shown("2026-03-01 10:00", null, "")]).toEqual(["history.untitled", "2026-03-01 10:00"]);
});
