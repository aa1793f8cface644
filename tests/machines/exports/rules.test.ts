import { expect, test } from "vitest";
import { captionColumns, type ExportFormat } from "#contract/index.ts";
import { columnsIn, isCaptions, lookOf, mayHaveTimes, usualChoice } from "#machines/exports/rules.ts";

const formats: ExportFormat[] = ["txt", "md", "html", "docx", "pdf", "srt", "vtt", "json"];

test("gives subtitles times always, data everything, and other formats times on request", () => {
  expect(formats.filter(isCaptions)).toEqual(["srt", "vtt"]);
  expect(formats.filter(mayHaveTimes)).toEqual(["txt", "md", "html", "docx", "pdf"]);
});

test("accepts column numbers between minimum and maximum", () => {
  const { min, max } = captionColumns;
  expect([min, max, ` ${min} `].map((columns) => columnsIn(String(columns)))).toEqual([min, max, min]);
  expect([String(min - 1), String(max + 1), "", "x", "4x", "4.5", "-40", "1000"].map(columnsIn)).toEqual(Array(8).fill(null));
});

test("applies the options chosen for a format, with the usual line length by default", () => {
  const choice = { ...usualChoice, speakers: false, timed: ["md" as const], columns: "no", lines: 1 as const };
  const look = { speakers: false, lineLength: captionColumns.usual, lines: 1 };
  expect(lookOf(choice, "md")).toEqual({ ...look, times: true });
  expect(lookOf(choice, "txt")).toEqual({ ...look, times: false });
  expect(lookOf({ ...choice, columns: String(captionColumns.min) }, "srt")).toEqual({ ...look, lineLength: captionColumns.min });
});
