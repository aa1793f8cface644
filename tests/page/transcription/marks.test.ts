import { describe, expect, test } from "vitest";
import { type Segment, wordStarts } from "#contract/index.ts";
import { type Hit, noHits } from "#machines/transcription/find/rules.ts";
import { beside, pieces, unsureBeside, unsureWords } from "#src/features/transcription/marks.ts";

const hit = (from: number, to: number): Hit => ({ index: 0, side: "text", from, to });
const shown = (text: string, hits: readonly Hit[], from?: number, to?: number) =>
  pieces(text, hits, from, to)
    .map(({ text: piece, hit: found }) => (found === undefined ? piece : `[${piece}]`))
    .join("|");

describe("marked hits in a text", () => {
  test.each([
    ["nothing", noHits, "one two three"],
    ["in the middle", [hit(4, 7)], "one |[two]| three"],
    ["at both ends", [hit(0, 3), hit(8, 13)], "[one]| two |[three]"],
    ["side by side", [hit(0, 2), hit(2, 4)], "[on]|[e ]|two three"],
  ])("marked hits in a text are placed: %s", (_, hits, expected) => {
    expect(shown("one two three", hits)).toBe(expected);
  });

  test("marked hits in a text cover each word that they touch", () => {
    const hits = [hit(2, 9)];
    expect([shown("one two three", hits, 0, 3), shown("one two three", hits, 4, 7), shown("one two three", hits, 8, 13)]).toEqual(
      ["on|[e]", "[two]", "[t]|hree"],
    );
  });
});

test("marks hits in the text even if the engine's words differ", () => {
  const words = ["the", "the", "there", "Gone", "end."].map((text, i) => ({ text, start: i, end: i + 1 }));
  expect(wordStarts({ text: "the  the there end.", words })).toEqual([0, 5, 9, 14, 15]);
});

const word = (start: number, confidence?: number) => ({
  text: `w${start}`,
  start,
  end: start + 1,
  ...(confidence ? { confidence } : {}),
});
const segments: Segment[] = [
  { start: 0, end: 2, text: "", words: [word(0, 0.2), word(1, 0.9)] },
  { start: 2, end: 4, text: "", words: [] },
  { start: 4, end: 6, text: "", words: [word(4), word(5, 0.1)] },
  { start: 6, end: 8, text: "", words: [word(6, 0.29), word(7, 0.3)] },
];

describe("uncertain words", () => {
  const words = unsureWords(segments);
  test("uncertain words have a confidence below 0.3", () => {
    expect(words.map(({ start }) => start)).toEqual([0, 5, 6]);
  });

  test.each([
    ["from a segment's beginning", { index: 2 }, 1, 1],
    ["from one to the next", { index: 2, start: 5 }, 1, 2],
    ["round the end", { index: 3, start: 6 }, 1, 0],
    ["to the one before", { index: 3, start: 6 }, -1, 1],
    ["round the beginning", { index: 0, start: 0 }, -1, 2],
  ] as const)("uncertain words are visited %s", (_, place, step, expected) => {
    expect(unsureBeside(words, place, step)).toBe(expected);
  });

  test("uncertain words are none in an empty list", () => {
    expect(unsureBeside([], { index: 0 }, 1)).toBe(-1);
  });
});

describe("word beside the spoken one", () => {
  test.each([
    ["in the same segment", 0.5, 1, 1],
    ["over a segment without words", 1.5, 1, 4],
    ["back over it", 4.5, -1, 1],
    ["back from a segment without words", 3, -1, 1],
    ["not behind the last", 7.5, 1, undefined],
    ["the first one again at the beginning", 0.5, -1, 0],
    ["before the first begins, the second", 0, 1, 1],
  ])("the word beside the spoken one is found: %s", (_, seconds, step, expected) => {
    expect(beside(segments, seconds, step)).toBe(expected);
  });
});
