import { expect, test } from "vitest";
import type { Segment } from "#contract/index.ts";
import { selectTranscription, selectUndo } from "#machines/transcription/selectors.ts";
import { transcription } from "#tests/machines/harness.ts";
import { opened } from "./harness.ts";

const words = [
  { text: "so", start: 0, end: 0.4, confidence: 0.9 },
  { text: "grate", start: 0.4, end: 0.7, confidence: 0.1 },
  { text: "fun", start: 0.7, end: 1, confidence: 0.2 },
];
const passage: Segment = { start: 0, end: 1, text: "so grate fun", words };
const undo = { type: "undo.requested" } as const;
const page = () => opened(null, transcription({ text: passage.text, segments: [passage] }));
const sure = (start: number, text: string, confidence = 1) => ({ start, text, confidence });

test("confirms the uncertain words of a corrected passage until an undo", async () => {
  const shown = await page();
  shown.send({ type: "segment.edited", index: 0, text: "so great fun" });
  expect(shown.sent()).toEqual([{ edits: { 0: "so great fun" }, words: { 0.4: sure(0.4, "grate"), 0.7: sure(0.7, "fun") } }]);
  expect(shown.get(selectUndo)).toMatchObject({ kind: "correction", index: 0, count: 1 });
  shown.send(undo);
  expect(shown.get(selectTranscription)?.segments[0]?.words).toEqual(words);
});

test("keeps the marks of a passage that is closed unchanged, and of words outside a replacement", async () => {
  const shown = await page();
  shown.send({ type: "segment.edited", index: 0, text: passage.text });
  expect([shown.get(selectUndo), shown.sent()]).toEqual([null, []]);
  shown.send({ type: "segments.replaced", edits: { 0: "so great fun" } });
  expect(shown.sent()).toEqual([{ edits: { 0: "so great fun" } }]);
});

test("confirms a passage that is corrected during a split, but not one that is only split", async () => {
  const [typed, split] = [await page(), await page()];
  typed.send({ type: "segment.split", index: 0, before: "so great", after: "fun" });
  split.send({ type: "segment.split", index: 0, before: "so grate", after: "fun" });
  expect([typed, split].map((shown) => Object.keys(shown.sent()[0]?.words ?? {}))).toEqual([["0.4", "0.7"], []]);
});
