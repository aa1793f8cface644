import { describe, expect, test } from "vitest";
import { findNumbers } from "#speech/written/numbers/numbers.ts";
import { rewritten } from "#speech/written/rewrite.ts";
import { cpuMsOf } from "#tests/fixtures/cpu-time.ts";
import { segment } from "#tests/server/jobs/scripted.ts";

const written = (text: string) => rewritten(segment(text, 0, 1), findNumbers(text)).text;

describe("findNumbers", () => {
  test.each([
    ["ten", "10"],
    ["i have twenty six apples", "i have 26 apples"],
    ["twenty-six apples", "26 apples"],
    ["TWENTY SIX APPLES", "26 APPLES"],
    ["fifteen", "15"],
    ["one hundred", "100"],
    ["five hundred and ten", "510"],
    ["five hundred ten", "510"],
    ["a hundred and one dalmatians", "101 dalmatians"],
    ["twelve hundred people", "1200 people"],
    ["twenty five hundred", "2500"],
    ["three thousand", "3000"],
    ["ten thousand", "10,000"],
    ["two hundred thousand and six", "200,006"],
    ["two million", "2 million"],
    ["five hundred million", "500 million"],
    ["two million three hundred thousand and six", "2,300,006"],
    ["one billion two million", "1,002,000,000"],
    ["one hundred and two hundred", "100 and 200"],
    ["between ten and twenty", "between 10 and 20"],
    ["ten or twelve", "10 or 12"],
    ["three point one four", "3.14"],
    ["zero point five", "0.5"],
    ["one point five million people", "1.5 million people"],
    ["ten point oh five", "10.05"],
  ])("writes a number in digits: %s: %s", (spoken, expected) => {
    expect(written(spoken)).toBe(expected);
  });

  test.each([
    ["five hundred and ten dollars", "$510"],
    ["one dollar", "$1"],
    ["a hundred dollars", "$100"],
    ["a twenty dollar bill", "a $20 bill"],
    ["five dollars and fifty cents please", "$5.50 please"],
    ["five dollars and five cents", "$5.05"],
    ["five dollars and fifty people", "$5 and 50 people"],
    ["five million dollars", "$5 million"],
    ["one point five million dollars", "$1.5 million"],
    ["fifty euros", "€50"],
    ["five percent", "5%"],
    ["one hundred per cent", "100%"],
    ["two point five percent", "2.5%"],
    ["a dollar", "a dollar"],
    ["fifty cents", "50 cents"],
  ])("writes a number with its unit: %s: %s", (spoken, expected) => {
    expect(written(spoken)).toBe(expected);
  });

  test.each([
    ["twenty twenty six", "2026"],
    ["in twenty twenty", "in 2020"],
    ["since twenty ten", "since 2010"],
    ["nineteen eighty four", "1984"],
    ["nineteen oh five", "1905"],
    ["in nineteen fourteen", "in 1914"],
    ["in seventeen eighty nine", "in 1789"],
    ["two thousand and six", "2006"],
    ["two thousand twenty six", "2026"],
    ["july fourth twenty twenty", "july 4th 2020"],
    ["july twenty second", "july 22nd"],
    ["the fifth of november", "the 5th of november"],
    ["march third", "march 3rd"],
    ["the twenty first century", "the 21st century"],
    ["november eleventh twelfth and thirteenth", "november 11th twelfth and thirteenth"],
  ])("writes years and days in digits: %s: %s", (spoken, expected) => {
    expect(written(spoken)).toBe(expected);
  });

  test.each([
    ["five five five one two one two", "5551212"],
    ["call oh one seven one three four five", "call 0171345"],
    ["nine oh two one oh", "90210"],
  ])("writes telephone numbers in digits: %s: %s", (spoken, expected) => {
    expect(written(spoken)).toBe(expected);
  });

  // PROMISE vocabulary: Numbers become digits; punctuation is added where its model is installed
  test.each([
    "one of them",
    "no one knows",
    "two or three people",
    "nine",
    "zero",
    "a million thanks",
    "half a million dollars",
    "hundreds of thousands",
    "nine one one",
    "nine eleven",
    "twenty four seven",
    "fifty fifty",
    "five thirty",
    "at ten thirty",
    "twenty twenty vision",
    "ten nine eight seven six",
    "one two three four",
    "seventeen eighteen nineteen twenty twenty one",
    "march second in line",
    "you may first ask",
    "the second time",
    "a twenty second delay",
    "ten second timer",
    "oh five",
    "oh five five five",
    "two thirds",
    "the roaring twenties",
    "one hundred twenty first",
    "someone attend to tennis",
    "a point",
    "twenty hundred",
    "one twenty",
    "",
  ])("leaves ambiguous number words alone: %s", (spoken) => {
    expect(written(spoken)).toBe(spoken);
  });

  test("ends a number at a comma or a full stop", () => {
    expect(written("twenty, six")).toBe("20, six");
    expect(written("in nineteen. eighty four")).toBe("in 19. 84");
  });

  test("merges a number's words into one and keeps the heard words with it", () => {
    const of = segment("about five hundred and ten dollars each", 0, 7);
    expect(rewritten(of, findNumbers(of.text)).words).toEqual([
      { text: "about", start: 0, end: 1 },
      { text: "$510", start: 1, end: 6, heard: "five hundred and ten dollars" },
      { text: "each", start: 6, end: 7 },
    ]);
  });

  test("finds numbers in linear time", () => {
    for (const spoken of ["five ", "twenty ", "one hundred and ", "a ", "oh ", "two million "]) {
      expect(
        cpuMsOf(() => findNumbers(spoken.repeat(20_000))),
        spoken,
      ).toBeLessThan(5_000);
    }
  });
});
