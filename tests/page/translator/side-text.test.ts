import { expect, test } from "vitest";
import type { CaptionsState } from "#src/audio/captions.ts";
import { sideText } from "#src/features/translator/side-text.ts";
import type { Turn } from "#src/features/translator/turns.ts";

const captions: CaptionsState = {
  lines: [
    { start: 0, end: 1, text: "Hello", words: [], translation: "Hola", translating: "done" },
    { start: 1, end: 2, text: "my friend", words: [], translating: "pending" },
  ],
  partial: { text: "how are", start: 2 },
};
const last: Turn = {
  id: "t1",
  side: 1,
  sourceLanguage: "es-ES",
  targetLanguage: "en",
  isWaiting: false,
  heard: null,
  segments: [{ start: 0, end: 0, text: "Gracias", words: [], translation: "Thanks" }],
};
const now = { speaker: 0, isUnderWay: true, typed: null, captions, last } as const;
const textsOf = (side: 0 | 1, change: Partial<Parameters<typeof sideText>[0]> = {}) => {
  const { pieces, partial, isPending } = sideText({ ...now, side, ...change });
  return [pieces.map(({ text }) => text), partial, isPending];
};

test("who speaks reads what is heard, as it is heard", () => {
  expect(textsOf(0)).toEqual([["Hello", "my friend"], "how are", false]);
});

test("the other side reads the translation, phrase after phrase", () => {
  expect(textsOf(1)).toEqual([["Hola"], "", true]);
});

test("what is typed stands on its side while it is translated", () => {
  expect(textsOf(0, { typed: "Good day" })).toEqual([["Good day"], "", false]);
  expect(textsOf(1, { typed: "Good day" })).toEqual([[], "", true]);
});

test("between turns both read the last one, each in their language", () => {
  expect([textsOf(0, { isUnderWay: false }), textsOf(1, { isUnderWay: false })]).toEqual([
    [["Thanks"], "", false],
    [["Gracias"], "", false],
  ]);
  expect(textsOf(0, { isUnderWay: false, last: undefined })).toEqual([[], "", false]);
});
