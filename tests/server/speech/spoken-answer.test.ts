import fc from "fast-check";
import * as v from "valibot";
import { describe, expect, it, test } from "vitest";
import { parseSpoken, SpokenAnswer } from "#server/speech/spoken-answer.ts";
import { segmentsFromAnswer } from "#server/speech/spoken-segments.ts";
import { fuzz, hostileText, runs } from "#tests/fixtures/fuzz.ts";

/** @param answer an object, or the raw body */
function read(answer: unknown, duration = 2) {
  const body = typeof answer === "string" ? answer : JSON.stringify(answer);
  return segmentsFromAnswer(v.parse(SpokenAnswer, parseSpoken(body)), duration);
}

const word = (text: string, start: number, end: number) => ({ text, start: expect.closeTo(start), end: expect.closeTo(end) });
const wordsOf = (answer: unknown, duration?: number) => read(answer, duration).flatMap(({ words }) => words);
const spansOf = (answer: unknown, duration?: number) => read(answer, duration).map(({ start, end, text }) => [start, end, text]);
const textsOf = (answer: unknown, duration?: number) => read(answer, duration).map(({ text }) => text);

describe("the words of an answer", () => {
  it("assigns words to their segments and takes the text's punctuation", () => {
    const segments = read({
      text: "Hello, world. Good bye.",
      segments: [
        { text: " Hello, world.", start: 0, end: 1 },
        { text: " Good bye.", start: 1, end: 2 },
      ],
      words: [
        { word: "Hello", start: 0, end: 0.4 },
        { word: "world", start: 0.4, end: 1.1 },
        { word: "Good", start: 1.05, end: 1.5 },
        { word: "bye", start: 1.5, end: 2.4 },
      ],
    });
    expect(segments).toEqual([
      { text: "Hello, world.", start: 0, end: 1, words: [word("Hello,", 0, 0.4), word("world.", 0.4, 1)] },
      { text: "Good bye.", start: 1, end: 2, words: [word("Good", 1.05, 1.5), word("bye.", 1.5, 2)] },
    ]);
  });

  it("takes words from inside the segments, as whisper.cpp sends them", () => {
    const words = [{ word: " hi", start: 0, end: 0.5, probability: 0.8 }];
    expect(wordsOf({ text: "hi", segments: [{ text: " hi", start: 0, end: 1, words }] })).toEqual([
      { ...word("hi", 0, 0.5), confidence: 0.8 },
    ]);
  });

  it("spreads words over a segment, or over the whole sound, when the server sends no words", () => {
    expect(wordsOf({ text: "a bcd", segments: [{ text: "a bcd", start: 3, end: 6 }] }, 10)).toEqual([
      word("a", 3, 4),
      word("bcd", 4, 6),
    ]);
    expect(wordsOf({ text: "a bcd" }, 6)).toEqual([word("a", 0, 2), word("bcd", 2, 6)]);
  });

  it("keeps the text's own words where the server splits and writes them differently", () => {
    const words = [" don", "'t", " pay", " twenty", " dollars", " now"].map((text, at) => ({
      word: text,
      start: at,
      end: at + 1,
    }));
    expect(wordsOf({ text: "Don't pay $20 now!", words }, 6)).toEqual([
      word("Don't", 0, 2),
      word("pay", 2, 3),
      word("$20", 3, 5),
      word("now!", 5, 6),
    ]);
  });

  const tokens = (...texts: string[]) => texts.map((text, at) => ({ word: text, start: at / 10, end: (at + 1) / 10 }));
  const latin1 = (bytes: number[]) => String.fromCharCode(...bytes);
  const split = [word("你", 0, 0.2), word("好", 0.2, 0.3)];
  test.each<[string, { text: string; words?: unknown; segments?: unknown }, object[]]>([
    ["letters that can't be read", { text: "你好", words: tokens("\ufffd", "\ufffd", "好") }, split],
    ["one for each byte", { text: "你好", words: tokens("\ufffd\ufffd", "\ufffd", "\ufffd\ufffd\ufffd") }, split],
    [
      "the bytes as letters",
      { text: "你好", words: tokens(latin1([0xe4, 0xbd]), latin1([0xa0]), latin1([0xe5, 0xa5, 0xbd])) },
      split,
    ],
    [
      "segments with them",
      {
        text: "你好",
        segments: [{ start: 0, end: 0.3, text: "你好", words: tokens("\ufffd", "\ufffd", "\ufffd") }],
      },
      [word("你", 0, 0.15), word("好", 0.15, 0.3)],
    ],
    [
      "ends of two letters in one token",
      { text: "你们 ok", words: tokens("\ufffd\ufffd", "\ufffd\ufffd", "\ufffd\ufffd", " ok") },
      [word("你", 0, 0.15), word("们", 0.15, 0.3), word("ok", 0.3, 0.4)],
    ],
    [
      "halves of an emoji",
      { text: "go 👍", words: tokens("go", "\ud83d", "\udc4d") },
      [word("go", 0, 0.1), word("👍", 0.1, 0.3)],
    ],
    [
      "marks",
      { text: "你，好。", words: tokens("\ufffd", "\ufffd", "，", "好", "。") },
      [word("你，", 0, 0.3), word("好。", 0.3, 0.5)],
    ],
  ])("joins letters that a server splits over tokens: %s", (_, answer, words) => {
    expect(wordsOf(answer)).toEqual(words);
    expect(JSON.stringify(read(answer))).not.toContain("\ufffd");
    expect(textsOf(answer).join("")).toBe(answer.text);
  });

  it("joins letters whose bytes the body itself splits", () => {
    const bytes = Buffer.concat([
      Buffer.from('{"text":"你好","words":[{"word":"'),
      Buffer.from([0xe4, 0xbd]),
      Buffer.from('","start":0,"end":0.1},{"word":"'),
      Buffer.from([0xa0]),
      Buffer.from('","start":0.1,"end":0.2},{"word":"好","start":0.2,"end":0.3}]}'),
    ]);
    expect(wordsOf(new TextDecoder().decode(bytes))).toEqual(split);
  });
});

describe("the segments of an answer", () => {
  it.each([1e3, 1e9])("converts times to seconds when the server counts %i units per second", (unit) => {
    const segments = [
      { start: 0, end: 4 * unit, text: "one two", words: [{ word: "one", start: 2 * unit, end: 3 * unit }] },
      { start: 4 * unit, end: 8 * unit, text: "three" },
    ];
    expect(spansOf({ segments }, 9)).toEqual([
      [0, 4, "one two"],
      [4, 8, "three"],
    ]);
    expect(wordsOf({ segments }, 9)[0]).toEqual(word("one", 2, 3));
  });

  it("ends a segment with the sound when the server assumes half a minute", () => {
    expect(spansOf({ segments: [{ start: 0, end: 30, text: "yes" }] }, 0.25)).toEqual([[0, 0.25, "yes"]]);
  });

  it("joins letters that segments split", () => {
    const segments = [
      { start: 0, end: 1, text: "你\ufffd" },
      { start: 1, end: 2, text: "\ufffd啊" },
    ];
    expect(textsOf({ text: "你好啊", segments })).toEqual(["你好", "啊"]);
    expect(textsOf({ segments })).toEqual(["你", "啊"]);
  });

  it("drops text invented in silence, machine tokens and empty text", () => {
    const invented = { text: "Thanks for watching!", start: 0, end: 2, no_speech_prob: "0.9", avg_logprob: -1.5 };
    expect(read({ text: "Thanks for watching!", segments: [invented] })).toEqual([]);
    expect(read({ text: "" })).toEqual([]);
    expect(read({ text: null, segments: [] })).toEqual([]);
    expect(read({ text: " [BLANK_AUDIO]" })).toEqual([]);
    expect(textsOf({ text: "<|en|><|0.00|> Hi there<|1.00|>" })).toEqual(["Hi there"]);
  });

  test.each<[string, unknown, unknown[]]>([
    [
      "one that is reversed",
      {
        segments: [
          { start: 1, end: 0.5, text: "b" },
          { start: 0, end: 0.4, text: "a" },
        ],
      },
      [
        [0, 0.4, "a"],
        [1, 2, "b"],
      ],
    ],
    [
      "no times",
      { segments: [{ text: "aaa" }, { text: "bbb", start: null, end: "NaN" }] },
      [
        [0, 1, "aaa"],
        [1, 2, "bbb"],
      ],
    ],
    [
      "the same time everywhere",
      {
        segments: [
          { start: 0, end: 0, text: "aaa" },
          { start: 0, end: 0, text: "bbb" },
        ],
      },
      [
        [0, 1, "aaa"],
        [1, 2, "bbb"],
      ],
    ],
    [
      "times beyond the sound, before it, and in quotes",
      {
        segments: [
          { start: "-1", end: " 0.5 ", text: "a" },
          { start: 0.5, end: 30, text: "b" },
        ],
      },
      [
        [0, 0.5, "a"],
        [0.5, 2, "b"],
      ],
    ],
    ["items of another kind", { text: "a", segments: [null, "b", 3, { start: 0, end: 1, text: "a" }] }, [[0, 1, "a"]]],
    [
      "words alone",
      { segments: [{ start: 0, end: 1, text: null, words: [{ word: "so" }, { text: "what" }, { word: "?" }] }] },
      [[0, 1, "so what?"]],
    ],
    [
      "two who speak at once",
      {
        segments: [
          { start: 0, end: 2, text: "a", speaker: 0 },
          { start: 1, end: 1.5, text: "b", speaker: 1 },
        ],
      },
      [
        [0, 2, "a"],
        [1, 1.5, "b"],
      ],
    ],
  ])("sorts an engine's segments by time: %s", (_, answer, spans) => {
    expect(spansOf(answer)).toEqual(spans);
  });
});

test.each<[string, string[]]>([
  ["hello there", ["hello there"]],
  ['"hello there"', ["hello there"]],
  ['"{\\"text\\": \\"hello there\\"}"', ["hello there"]],
  ['\ufeff{"text":"hello there"}'.slice(1), ["hello there"]],
  [
    '{"text":"hello there","duration":NaN,"segments":[{"start":0,"end":Infinity,"text":"hello there","avg_logprob":-Infinity}]}',
    ["hello there"],
  ],
  ['{"words":[{"word":"hello"},{"word":"there"}]}', ["hello there"]],
])("reads the body %s as a transcription", (body, texts) => expect(textsOf(body)).toEqual(texts));

test.each([
  "",
  "<html>hello</html>",
  '{"text":"hel',
  "null",
  "[]",
  "{}",
  '{"transcript":"hello"}',
  '{"text":"","error":"no model"}',
])("rejects the body %s as no transcription", (body) => expect(v.is(SpokenAnswer, parseSpoken(body))).toBe(false));

/** Odd values in place of a number or a text. */
const odd = fc.constantFrom<unknown[]>(null, undefined, "NaN", "", {}, [], true);
const time = fc.oneof(
  { weight: 6, arbitrary: fc.double({ min: -5, max: 40, noNaN: true }) },
  { weight: 1, arbitrary: fc.double() },
  { weight: 1, arbitrary: fc.nat(30).map(String) },
  { weight: 1, arbitrary: odd },
);
const said = fc.oneof(
  fc.constantFrom(
    "hello",
    " there,",
    "你好",
    "你",
    "\ufffd",
    "\ufffd\ufffd",
    "ä½",
    "\ud83d",
    "2016",
    "<|0.00|>",
    "ครับ",
    "(",
    "!",
  ),
  hostileText,
);
const spokenWord = fc.record({ word: fc.oneof(said, odd), start: time, end: time, probability: time }, { requiredKeys: [] });
const spokenWords = fc.oneof({ weight: 8, arbitrary: fc.array(fc.oneof(spokenWord, said), { maxLength: 8 }) }, odd);
const texts = fc.array(said, { maxLength: 8 }).map((parts) => parts.join(""));
const spokenSegment = fc.record(
  {
    text: fc.oneof(texts, odd),
    start: time,
    end: time,
    words: spokenWords,
    speaker: odd,
    avg_logprob: time,
    no_speech_prob: time,
  },
  { requiredKeys: [] },
);
const spokenAnswer = fc.record(
  {
    text: fc.oneof(texts, fc.constant(null)),
    segments: fc.oneof({ weight: 8, arbitrary: fc.array(fc.oneof(spokenSegment, odd), { maxLength: 6 }) }, odd),
    words: spokenWords,
  },
  { requiredKeys: ["text"] },
);

test(`keeps words of any answer in order and within the sound (seed ${fuzz.seed})`, () => {
  fc.assert(
    fc.property(spokenAnswer, fc.double({ min: 0, max: 30, noNaN: true }), (answer, duration) => {
      const segments = read(answer, duration);
      const isWithin = (spans: readonly { start: number; end: number }[], from: number, to: number) => {
        let last = from;
        for (const { start, end } of spans) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThanOrEqual(start);
          expect(end).toBeLessThanOrEqual(to);
          last = start;
        }
      };
      isWithin(segments, 0, duration);
      for (const { words, start, end, text } of segments) {
        isWithin(words, start, end);
        expect(text.trim()).toBe(text);
        expect(text).not.toBe("");
        expect(words.map((one) => one.text).join("")).toBe(text.replace(/\s+/g, ""));
      }
      const written = JSON.stringify(segments);
      expect(written.isWellFormed()).toBe(true);
      if (!String(answer.text).includes("\ufffd")) expect(written).not.toContain("\ufffd");
    }),
    runs(500),
  );
});
