import { expect, test } from "vitest";
import type { CaptionsState } from "#src/audio/captions.ts";
import { earlierTexts, sideText } from "#src/features/translator/side-text.ts";
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
  stretch: null,
  segments: [{ start: 0, end: 0, text: "Gracias", words: [], translation: "Thanks" }],
};
const now = { speaker: 0, isUnderWay: true, typed: null, captions, last } as const;
const textsOf = (side: 0 | 1, change: Partial<Parameters<typeof sideText>[0]> = {}) => {
  const { pieces, interim, isPending } = sideText({ ...now, side, ...change });
  return [pieces.map(({ text }) => text), interim.text, isPending];
};

test("shows the speaker the recognized text as it arrives", () => {
  expect(textsOf(0)).toEqual([["Hello", "my friend"], "how are", false]);
});

test("shows the other side the translation, phrase by phrase", () => {
  expect(textsOf(1)).toEqual([["Hola"], "", true]);
});

test("shows the translation of unfinished speech as interim", () => {
  const [done, waiting] = captions.lines;
  if (done === undefined || waiting === undefined) throw new Error("There are two lines.");
  const failed = { ...done, start: 3, text: "bye", translating: "failed" as const };
  const later: CaptionsState = {
    lines: [done, { ...waiting, draft: "mi amigo" }],
    partial: { text: "how are", start: 2, translation: "cómo" },
  };
  expect(textsOf(1, { captions: later })).toEqual([["Hola"], "mi amigo cómo", true]);
  expect(sideText({ ...now, side: 1, captions: { lines: [failed, done], partial: null } })).toMatchObject({ hasFailed: true });
  expect(sideText({ ...now, side: 0, captions: { lines: [failed], partial: null } })).toMatchObject({ hasFailed: false });
});

test("shows typed text on its side during its translation", () => {
  expect(textsOf(0, { typed: "Good day" })).toEqual([["Good day"], "", false]);
  expect(textsOf(1, { typed: "Good day" })).toEqual([[], "", true]);
});

test("shows both sides the last turn in their languages between turns", () => {
  expect([textsOf(0, { isUnderWay: false }), textsOf(1, { isUnderWay: false })]).toEqual([
    [["Thanks"], "", false],
    [["Gracias"], "", false],
  ]);
  expect(textsOf(0, { isUnderWay: false, last: undefined })).toEqual([[], "", false]);
});

test("shows earlier turns above in face-to-face mode, oldest first", () => {
  const first: Turn = {
    ...last,
    id: "t0",
    side: 0,
    segments: [{ start: 0, end: 1, text: "Hello", words: [], translation: "Hola" }],
  };
  const untranslated: Turn = { ...last, id: "t2", segments: [{ start: 0, end: 0, text: "Bien", words: [] }] };
  const turns = [first, last, untranslated];
  const texts = (side: 0 | 1, isUnderWay: boolean) => earlierTexts(turns, side, isUnderWay).map(({ text }) => text);
  expect([texts(0, false), texts(1, false)]).toEqual([
    ["Hello", "Thanks"],
    ["Hola", "Gracias"],
  ]);
  // While a turn is under way, the last turn counts as earlier.
  expect([texts(0, true), texts(1, true)]).toEqual([
    ["Hello", "Thanks"],
    ["Hola", "Gracias", "Bien"],
  ]);
});
