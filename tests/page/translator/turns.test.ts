import { describe, expect, test } from "vitest";
import { textOf, translatedTextOf } from "#contract/correcting/text.ts";
import type { Segment, Transcription } from "#contract/index.ts";
import type { OutboxEntry } from "#src/features/translator/outbox-entries.ts";
import { sideOf, turnsOf } from "#src/features/translator/turns.ts";

const languages = ["en", "es-ES"] as const;
const conversationId = crypto.randomUUID();
const [one, two] = [crypto.randomUUID(), crypto.randomUUID()];
const names = (turnId: string) => ({ clientId: crypto.randomUUID(), conversationId, turnId });
const said = (turn: string, start: number, text: string, more: Partial<Segment> = {}): Segment => ({
  turn,
  start,
  end: start + 1,
  text,
  words: [{ text, start, end: start + 1 }],
  ...more,
});
const saved = (segments: Segment[]): Transcription => ({
  id: "t1",
  title: "",
  text: "",
  translatedText: "",
  sourceLanguage: "en",
  targetLanguage: "es",
  date: "2026-05-01T10:00:00Z",
  status: "completed",
  origin: "conversation",
  durationSeconds: 3,
  hasAudio: true,
  progress: null,
  error: null,
  segments,
  fileName: null,
  engine: null,
});
const kept = (turnId: string, text: string): OutboxEntry => ({
  ...names(turnId),
  kind: "turn",
  turn: {
    languages: [...languages],
    sourceLanguage: "es-ES",
    targetLanguage: "en",
    segments: [{ start: 0, end: 0, text, words: [] }],
    title: text,
    date: "2026-05-01T10:00:00Z",
  },
});

describe("turns of a conversation", () => {
  test("turns of a conversation come from the server's segments with side and audio position", () => {
    const foreign = { language: "es-ES", translationLanguage: "en", translation: "thanks" } as const;
    const turns = turnsOf(
      saved([said(one, 0, "Hello", { translation: "Hola" }), said(one, 1, "you"), said(two, 2, "Gracias", foreign)]),
      [],
      languages,
    );
    expect(turns).toMatchObject([
      { id: one, side: 0, sourceLanguage: "en", targetLanguage: "es", stretch: { start: 0, end: 2 }, isWaiting: false },
      { id: two, side: 1, sourceLanguage: "es-ES", targetLanguage: "en", stretch: { start: 2, end: 3 } },
    ]);
    expect(turns.map(({ segments }) => textOf(segments))).toEqual(["Hello you", "Gracias"]);
    expect(turns.map(({ segments }) => translatedTextOf(segments))).toEqual(["Hola", "thanks"]);
  });

  test("the turns of a conversation can't be played if they were typed or the audio is gone", () => {
    const typed = { ...said(one, 0, "Hello"), end: 0, words: [] };
    expect(turnsOf(saved([typed]), [], languages)).toMatchObject([{ stretch: null }]);
    expect(turnsOf({ ...saved([said(one, 0, "Hello")]), hasAudio: false }, [], languages)).toMatchObject([{ stretch: null }]);
  });

  test("turns of a conversation show pending changes at once", () => {
    const before = saved([said(one, 0, "Helo", { translation: "Hola" })]);
    const correction: OutboxEntry = { ...names(one), kind: "correction", index: 0, text: "Hello" };
    const turns = turnsOf(before, [kept(two, "Gracias"), correction], languages);
    expect(turns).toMatchObject([
      { id: one, isWaiting: true, segments: [{ text: "Hello" }] },
      { id: two, side: 1, isWaiting: true, stretch: null },
    ]);
    // The old translation does not belong to the new text.
    expect(turns.map(({ segments }) => translatedTextOf(segments))).toEqual(["", ""]);
    expect(turnsOf(before, [{ ...names(one), kind: "deletion" }], languages)).toEqual([]);
  });

  test("turns of a conversation appear once if only the server's answer was lost", () => {
    expect(turnsOf(saved([said(two, 0, "Gracias")]), [kept(two, "Gracias")], languages)).toMatchObject([{ isWaiting: false }]);
  });

  test("turns of a conversation ignore corrections after a deletion elsewhere", () => {
    expect(turnsOf(null, [{ ...names(one), kind: "correction", index: 0, text: "Hello" }], languages)).toEqual([]);
  });
});

describe("side of a turn", () => {
  test.each([
    ["en", ["en", "es-ES"], 0],
    ["es-ES", ["en", "es-ES"], 1],
    ["es", ["en", "es-ES"], 1],
    ["auto", ["auto", "es-ES"], 0],
    ["fr-FR", ["en", "es-ES"], 0],
    ["zh-TW", ["zh", "zh-TW"], 1],
  ] as const)("the language %s of %j belongs to side %i", (language, sides, side) => {
    expect(sideOf(language, sides)).toBe(side);
  });
});
