import { expect, test } from "vitest";
import { relativeTime } from "#src/i18n/format.ts";

const now = Date.parse("2026-03-01T12:00:00Z");

test.each([
  [20, "this minute"],
  [-20, "this minute"],
  [60, "in 1 minute"],
  [119 * 60, "in 119 minutes"],
  [2 * 3600, "in 2 hours"],
  [40 * 3600, "in 40 hours"],
  [50 * 3600, "in 2 days"],
  [-50 * 3600, "2 days ago"],
])("formats %d seconds from now as %s", (seconds, text) => {
  expect(relativeTime(new Date(now + seconds * 1000).toISOString(), now, "en")).toBe(text);
});

test("formats times in the user's language", () => {
  expect(relativeTime(new Date(now + 3 * 86_400_000).toISOString(), now, "de")).toBe("in 3 Tagen");
});
