import { parse } from "valibot";
import { describe, expect, test } from "vitest";
import { FinalTranscription, titleOfWords } from "#contract/index.ts";
import type { CaptionLine } from "#src/audio/captions.ts";
import { finalTranscriptionOf } from "#src/audio/final-transcription.ts";
import type { RecordingRow } from "#src/audio/recording-db.ts";
import { segment } from "#tests/page/dictation/harness.ts";

describe("title of a transcription", () => {
  test.each([
    ["", ""],
    ["  Hello   there ", "Hello there"],
    ["x".repeat(60), "x".repeat(60)],
    [
      "We had breakfast together and talked about the weather, then left.",
      "We had breakfast together and talked about the weather…",
    ],
    [
      "One two three four five six seven eight nine ten eleven — and more",
      "One two three four five six seven eight nine ten eleven…",
    ],
    ["x".repeat(70), `${"x".repeat(59)}…`],
    ["😀".repeat(40), `${"😀".repeat(29)}…`],
  ])("a dictation's title shortens %j to %j", (text, title) => {
    expect(titleOfWords(text, "en")).toBe(title);
    expect(title.length).toBeLessThanOrEqual(60);
  });
});

const row: RecordingRow = {
  id: "r",
  recordingId: crypto.randomUUID(),
  clientId: crypto.randomUUID(),
  ownerId: "ann",
  base: 10,
  confirmed: 20,
  sourceLanguage: "en",
  targetLanguage: "es",
  startedAt: Date.parse("2026-05-01T10:00:00Z"),
  frames: 20,
  reached: true,
  fate: "open",
};
const lines: CaptionLine[] = [
  { ...segment(0, " Hello "), translation: "Hola", translating: "done" },
  { ...segment(1, ""), translating: "failed" },
  { ...segment(2, "you"), translating: "failed" },
];

test("saves what the contract requires, without the page's own fields", () => {
  const final = finalTranscriptionOf(row, lines, () => "a date");
  expect(parse(FinalTranscription, final)).toEqual(final);
  expect(final).toMatchObject({ text: "Hello you", translatedText: "Hola", title: "Hello you", recordingId: row.recordingId });
  expect(final.segments[0]).toEqual({ ...segment(0, " Hello "), translation: "Hola" });
  expect(final.segments[2]).toEqual(segment(2, "you"));
});

test("dates a restarted recording by the beginning of its audio", () => {
  expect(finalTranscriptionOf(row, lines, () => "").date).toBe("2026-05-01T10:00:00.800Z");
});

test("leaves the title to the server when the text's language is not known yet", () => {
  const titles = (sourceLanguage: "auto" | "de-DE") =>
    finalTranscriptionOf({ ...row, sourceLanguage }, [{ ...segment(0, "Also wir fangen an"), translating: "none" }], () => "")
      .title;
  expect([titles("auto"), titles("de-DE")]).toEqual(["", "Wir fangen an"]);
  expect(finalTranscriptionOf({ ...row, sourceLanguage: "auto" }, [], () => "a date").title).toBe("a date");
});

test("uses the date as the title of a recording without words", () => {
  expect(finalTranscriptionOf(row, [], (iso) => `on ${iso}`).title).toBe("on 2026-05-01T10:00:00.800Z");
});
