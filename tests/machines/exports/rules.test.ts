import { expect, test } from "vitest";
import { captionColumns, type ExportFormat } from "#contract/index.ts";
import { columnsIn, isCaptions, lookOf, mayHaveTimes, usualChoice } from "#machines/exports/rules.ts";

const formats: ExportFormat[] = ["txt", "md", "html", "docx", "pdf", "srt", "vtt", "json"];

test("subtitles always have times, data has everything, and the other formats may have times", () => {
  expect(formats.filter(isCaptions)).toEqual(["srt", "vtt"]);
  expect(formats.filter(mayHaveTimes)).toEqual(["txt", "md", "html", "docx", "pdf"]);
});

test("columns are a number between the least and the most", () => {
  const { min, max } = captionColumns;
  expect([min, max, ` ${min} `].map((columns) => columnsIn(String(columns)))).toEqual([min, max, min]);
  expect([String(min - 1), String(max + 1), "", "x", "4x", "4.5", "-40", "1000"].map(columnsIn)).toEqual(Array(8).fill(null));
});

test("a file looks as it was chosen for its format, with the usual length of a line where none is typed", () => {
  const choice = { ...usualChoice, speakers: false, timed: ["md" as const], columns: "no", lines: 1 as const };
  const look = { speakers: false, lineLength: captionColumns.usual, lines: 1 };
  expect(lookOf(choice, "md")).toEqual({ ...look, times: true });
  expect(lookOf(choice, "txt")).toEqual({ ...look, times: false });
  expect(lookOf({ ...choice, columns: String(captionColumns.min) }, "srt")).toEqual({ ...look, lineLength: captionColumns.min });
});
