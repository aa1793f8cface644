import { expect, test } from "vitest";
import { cutSegment, joinedSegment, joinedText, type Segment } from "#contract/index.ts";

const segment = (text: string, words: string[], parts: Partial<Segment> = {}): Segment => ({
  start: 0,
  end: words.length,
  text,
  words: words.map((word, at) => ({ text: word, start: at, end: at + 1 })),
  ...parts,
});

test.each([
  [["How are you?", " Fine. "], "How are you? Fine."],
  [["今日は", "天気"], "今日は天気"],
  [["今日は", "OK"], "今日は OK"],
  [["", "one", " "], "one"],
])("merged passages join their texts (%j)", (texts, expected) => {
  expect(joinedText(texts)).toBe(expected);
});

test("cuts words without spaces where their text is cut", () => {
  const [before, after] = cutSegment(segment("今日は天気がいい", ["今日", "は", "天気", "が", "いい"]), ["今日は", "天気がいい"]);
  expect([before?.words.map(({ text }) => text), after?.words.map(({ text }) => text)]).toEqual([
    ["今日", "は"],
    ["天気", "が", "いい"],
  ]);
  expect([before?.start, before?.end, after?.start, after?.end]).toEqual([0, 2, 2, 5]);
});

test("cuts a word into two that share its time and lose its recognized text", () => {
  const whole = segment("Mueller GmbH here", ["Mueller GmbH", "here"]);
  const words = whole.words.map((word, at) => (at === 0 ? { ...word, heard: "miller", confidence: 0.4 } : word));
  const cut = cutSegment({ ...whole, words }, ["Mueller", "GmbH here"]);
  expect(cut.map(({ words: own }) => own)).toEqual([
    [{ text: "Mueller", start: 0, end: 0.583, confidence: 0.4 }],
    [
      { text: "GmbH", start: 0.583, end: 1, confidence: 0.4 },
      { text: "here", start: 1, end: 2 },
    ],
  ]);
});

test("divides the time by text length if there are no words", () => {
  const cut = cutSegment(segment("abcd ef", [], { end: 6 }), ["abcd", "ef"]);
  expect(cut.map(({ start, end }) => [start, end])).toEqual([
    [0, 4],
    [4, 6],
  ]);
});

test("joins translations only if all passages have one", () => {
  const [one, two] = [segment("a", ["a"], { translation: "ä" }), segment("b", ["b"], { translation: "bé" })];
  expect(joinedSegment([one, two]).translation).toBe("ä bé");
  expect(joinedSegment([one, segment("b", ["b"])])).not.toHaveProperty("translation");
});
