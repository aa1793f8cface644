import { describe, expect, test } from "vitest";
import { isPlain } from "#server/speech/written/plain.ts";
import { prepareReplacements } from "#server/speech/written/replacements.ts";
import { write } from "#server/speech/written/write.ts";
import { segment } from "#tests/server/jobs/scripted.ts";

const replace = prepareReplacements([{ heard: "twenty twenty", written: "Twenty-Twenty" }]);
const written = (text: string, language = "en") => write([segment(text, 0, 1)], { replace, language }).map((one) => one.text)[0];

describe("what an engine has heard", () => {
  test.each([
    ["I have twenty apples", "I have 20 apples"],
    ["i have twenty apples", "i have 20 apples"],
    ["I HAVE TWENTY APPLES", "I HAVE 20 APPLES"],
    ["in twenty twenty twenty people", "in Twenty-Twenty 20 people"],
    ["I have twenty apples.", "I have twenty apples."],
    ["Ada has twenty apples, and Bob", "Ada has twenty apples, and Bob"],
    ["I met Ada twenty times", "I met Ada twenty times"],
  ])("%s: %s", (text, expected) => {
    expect(written(text)).toBe(expected);
  });

  test("has its numbers written in English alone, in the language of each segment", () => {
    expect(written("zehn six ten", "de")).toBe("zehn six ten");
    expect(written("have ten", "en-GB")).toBe("have 10");
    const [other] = write([{ ...segment("have ten", 0, 1), language: "de" }], { replace, language: "en" });
    expect(other?.text).toBe("have ten");
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
])("that %j has neither punctuation nor casing is %s", (text, expected) => {
  expect(isPlain(text)).toBe(expected);
});
