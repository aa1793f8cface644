import { describe, expect, test } from "vitest";
import type { Segment } from "#contract/index.ts";
import { noPunctuation, type Punctuator } from "#server/speech/punctuation/punctuator.ts";
import { isPlain } from "#speech/written/plain.ts";
import { prepareReplacements } from "#speech/written/replacements.ts";
import { write } from "#speech/written/write.ts";
import { segment } from "#tests/server/jobs/scripted.ts";

const replace = prepareReplacements([{ heard: "twenty twenty", written: "Twenty-Twenty" }]);
const said = (...texts: string[]) => texts.map((text, at) => segment(text, at, at + 1));
const writtenBy = (punctuator: Pick<Punctuator, "punctuate">, segments: readonly Segment[], language = "en") =>
  write(segments, { replace, language, punctuator, person: "ann" });
const textsOf = (segments: readonly Segment[]) => segments.map(({ text }) => text);

describe("numbers and vocabulary in recognized text", () => {
  const written = async (text: string, language = "en") => textsOf(await writtenBy(noPunctuation, said(text), language))[0];

  test.each([
    ["I have twenty apples", "I have 20 apples"],
    ["i have twenty apples", "i have 20 apples"],
    ["I HAVE TWENTY APPLES", "I HAVE 20 APPLES"],
    ["in twenty twenty twenty people", "in Twenty-Twenty 20 people"],
    ["I have twenty apples.", "I have twenty apples."],
    ["Ada has twenty apples, and Bob", "Ada has twenty apples, and Bob"],
    ["I met Ada twenty times", "I met Ada twenty times"],
  ])("rewrites recognized text: %s: %s", async (text, expected) => {
    expect(await written(text)).toBe(expected);
  });

  test("rewrites numbers only in segments in English", async () => {
    expect(await written("zehn six ten", "de")).toBe("zehn six ten");
    expect(await written("have ten", "en-GB")).toBe("have 10");
    const other: Segment = { ...segment("have ten", 0, 1), language: "de-DE" };
    expect(textsOf(await writtenBy(noPunctuation, [other]))).toEqual(["have ten"]);
  });
});

describe("casing and punctuation", () => {
  const spelled: Record<string, string> = { hello: "hello,", ada: "Ada.", i: "i,", nasa: "NASA", six: "six?" };
  /** A model that knows these words. */
  const punctuator: Pick<Punctuator, "punctuate"> = {
    punctuate: async (text) =>
      text
        .split(" ")
        .map((word) => spelled[word] ?? word)
        .join(" "),
  };
  const texts = async (...all: string[]) => textsOf(await writtenBy(punctuator, said(...all)));

  // PROMISE vocabulary: Numbers become digits; punctuation is added where its model is installed
  test("adds casing and punctuation across segments and keeps word times", async () => {
    expect(await texts("hello ada", "go I to nasa")).toEqual(["Hello, Ada.", "Go I, to NASA"]);
    const [one] = await writtenBy(punctuator, [segment("HELLO ADA", 0, 2)]);
    const words = [
      { text: "Hello,", start: 0, end: 1 },
      { text: "Ada.", start: 1, end: 2 },
    ];
    expect(one).toEqual({ start: 0, end: 2, text: "Hello, Ada.", words });
  });

  test("punctuates a text without word times but not one that differs from its words", async () => {
    const bare: Segment = { start: 0, end: 1, text: "hello ada", words: [] };
    const other: Segment = { ...segment("hello ada", 1, 2), text: "hello nasa" };
    expect(textsOf(await writtenBy(punctuator, [bare, other]))).toEqual(["Hello, Ada.", "hello nasa"]);
  });

  test("punctuates the heard words when numbers and vocabulary rewrite them", async () => {
    const [one] = await writtenBy(punctuator, [segment("go twenty six times in twenty twenty", 0, 7)]);
    expect(one?.text).toBe("Go 26? Times in Twenty-Twenty");
    const marks = [undefined, "twenty six", undefined, undefined, "twenty twenty"];
    expect(one?.words.map(({ heard }) => heard)).toEqual(marks);
  });

  test("leaves text alone that is punctuated, in another language, or without a model", async () => {
    expect(await texts("hello ada", "That is it.")).toEqual(["hello ada", "That is it."]);
    expect(await texts("Hallo Ada")).toEqual(["Hallo Ada"]);
    expect(textsOf(await writtenBy(punctuator, said("hello ada"), "de-DE"))).toEqual(["hello ada"]);
    expect(textsOf(await writtenBy(noPunctuation, said("hello ada")))).toEqual(["hello ada"]);
    expect(await writtenBy(punctuator, [])).toEqual([]);
  });
});

test.each([
  ["", true],
  ["hello there", true],
  ["Hello there", true],
  ["HELLO THERE", true],
  ["So I said I'm here I", true],
  ["Hello There", false],
  ["hello there.", false],
  ["hello, there", false],
  ["page 5", false],
])("checks whether %j has neither punctuation nor casing: %s", (text, expected) => {
  expect(isPlain(text)).toBe(expected);
});
