import { expect, test } from "vitest";
import type { ExportFormat, Note, Segment, Transcription } from "#contract/index.ts";
import { asAss } from "#server/exports/ass.ts";
import { exportTranscription } from "#server/exports/export.ts";
import { labelsFor } from "#server/exports/labels.ts";

const facts: Omit<Transcription, "segments"> = {
  id: "a",
  title: "A talk",
  text: "",
  translatedText: "",
  sourceLanguage: "en",
  targetLanguage: "de",
  date: "2026-03-01T10:00:00.000Z",
  status: "completed",
  origin: "dictation",
  durationSeconds: 100,
  hasAudio: false,
  progress: null,
  error: null,
  fileName: null,
  engine: null,
};
const said = (start: number, text: string, translation?: string): Segment => ({
  start,
  end: start + 1,
  text,
  words: [],
  ...(translation !== undefined && { translation }),
});

const made = (format: ExportFormat, segments: Segment[], notes?: Note[]) =>
  exportTranscription({ ...facts, segments }, { format, content: "both", language: "en" }, notes);

test("a note on the whole text quotes only its beginning", async () => {
  const note = { start: 0, end: 100, colour: "green", text: "", revision: 1, createdAt: "", changedAt: "" } as const;
  const notes = Array.from({ length: 500 }, (_, i) => ({ ...note, id: String(i) }));
  const { body } = await made("md", [said(0, "one "), said(1, "two ".repeat(100_000))], notes);
  expect(body).toMatch(/“one two( two)* ?(two?|t)?…”/);
  expect(body.length).toBeLessThan(2 * 500 * 1_000);
});

test.each(["srt", "vtt"] as const)(
  "%s subtitles don't repeat invisible characters with each line of a translation",
  async (format) => {
    const unseen = "\u200d".repeat(20_000);
    const { body } = await made(format, [said(0, unseen, "word ".repeat(20_000))]);
    expect(body.length).toBeLessThan(10_000_000);
    expect(String(body).replaceAll(/[^\u200d]/g, "").length).toBeGreaterThanOrEqual(unseen.length);
  },
);

test("captions keep at most thirty combining marks of a letter or invisible characters in a row", () => {
  const transcription = { ...facts, segments: [said(0, `a${"\u0301".repeat(100_000)} b${"\u202e".repeat(100_000)}`)] };
  const script = asAss(transcription, { labels: labelsFor("en"), content: "both", aspect: 1 });
  expect(script.match(/[\u0301\u202e]/g)).toHaveLength(30 + 31);
});

test("refuses a PDF with more passages than a book has", async () => {
  const many = Array.from({ length: 40_000 }, (_, i) => said(i, "a"));
  await expect(made("pdf", many)).rejects.toMatchObject({ code: "tooLarge" });
});
