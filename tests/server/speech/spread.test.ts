import { describe, expect, it } from "vitest";
import { spreadWords } from "#speech/spread.ts";

const at = (spans: readonly [start: number, end: number][]) => spans.map(([start, end]) => ({ start, end }));
const startsOf = (text: string, spans: readonly [number, number][]) =>
  spreadWords(text, at(spans)).map((word) => [word.text, Number(word.start.toFixed(2))]);

describe("spreadWords", () => {
  it("gives each word a share of the time by its length", () => {
    const words = spreadWords("no longer", at([[1, 2]]));
    expect(words).toMatchObject([
      { text: "no", start: 1, end: expect.closeTo(1.3) },
      { text: "longer", start: expect.closeTo(1.3), end: 2 },
    ]);
  });

  it("moves words that follow a pause behind the pause", () => {
    expect(
      startsOf("one two three four", [
        [0, 0.8],
        [2, 3],
      ]),
    ).toEqual([
      ["one", 0],
      ["two", 0.4],
      ["three", 2],
      ["four", 2.55],
    ]);
  });

  it("pauses at a comma rather than within a phrase", () => {
    expect(
      startsOf("my fellow Americans, ask not", [
        [0, 2.1],
        [2.9, 3.6],
      ]),
    ).toContainEqual(["ask", 2.9]);
    expect(
      startsOf("yes, indeed it does", [
        [0, 0.6],
        [1.1, 2.3],
      ]),
    ).toContainEqual(["indeed", 1.1]);
  });

  it("leaves a stretch without words when there are more stretches than words", () => {
    expect(
      spreadWords(
        "hello",
        at([
          [0, 0.1],
          [1, 1.5],
        ]),
      ),
    ).toEqual([{ text: "hello", start: 1, end: 1.5 }]);
  });

  it("returns no words for an empty text", () => {
    expect(spreadWords(" ", at([[0, 1]]))).toEqual([]);
  });
});
