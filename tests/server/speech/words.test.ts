import { describe, expect, it } from "vitest";
import { segmentsFromTokens } from "#server/speech/sherpa/tokens.ts";
import { capitalised, segmentsFrom, shifted } from "#speech/words.ts";

const word = (text: string, start: number, end: number) => ({ text, start, end });
const texts = (segments: { text: string }[]) => segments.map((segment) => segment.text);

describe("segmentsFrom", () => {
  it("splits segments at pauses of 0.35 s", () => {
    const words = [word("one", 0, 0.5), word("two", 0.84, 1), word("three", 1.35, 2), word("four", 2.1, 3)];
    const segments = segmentsFrom(words);
    expect(texts(segments)).toEqual(["one two", "three four"]);
    expect(segments[1]).toMatchObject({ start: 1.35, end: 3, words: words.slice(2) });
  });

  it("splits segments longer than 15 s at their longest pause without losing a word", () => {
    const words = Array.from({ length: 60 }, (_, at) =>
      word(`w${at}`, at * 0.5 + (at >= 25 ? 0.2 : 0), at * 0.5 + 0.45 + (at >= 25 ? 0.2 : 0)),
    );
    const segments = segmentsFrom(words);
    expect(segments[0]?.words).toHaveLength(25);
    for (const { start, end } of segments) expect(end - start).toBeLessThanOrEqual(15);
    expect(segments.flatMap((segment) => segment.words)).toEqual(words);
  });

  it("splits at the end of a sentence when times are only estimated", () => {
    const words = Array.from({ length: 40 }, (_, at) => word(at === 17 ? "end." : "on", at * 0.5, at * 0.5 + 0.5));
    expect(segmentsFrom(words)[0]?.text.endsWith("end.")).toBe(true);
  });

  it("recognition without words makes no segments", () => {
    expect(segmentsFrom([])).toEqual([]);
  });

  it("shifts and capitalizes a segment together with its words", () => {
    const [segment] = segmentsFrom([word("élan vital", 1, 2)]);
    if (segment === undefined) throw new Error("no segment");
    expect(capitalised(shifted(segment, 10))).toEqual({
      start: 11,
      end: 12,
      text: "Élan vital",
      words: [word("Élan vital", 11, 12)],
    });
  });
});

describe("segmentsFromTokens", () => {
  const voice = { offset: 2, durationSeconds: 3, spoken: [{ start: 0, end: 3 }] };

  it("joins sherpa-onnx tokens into words with times", () => {
    const recognized = {
      text: " AFTER EARLY NIGHT",
      tokens: ["▁AF", "TER", "▁EARLY", "▁NIGHT"],
      timestamps: [0.1, 0.3, 0.9, 2.9],
    };
    expect(segmentsFromTokens(recognized, voice).map(({ text, words }) => ({ text, words }))).toEqual(
      [
        { text: "After early", words: [word("After", 2.1, 2.6), word("early", 2.9, 3.2)] },
        { text: "Night", words: [word("Night", 4.9, 5)] },
      ].map((segment) => ({
        ...segment,
        words: segment.words.map((own) => ({ ...own, start: expect.closeTo(own.start), end: expect.closeTo(own.end) })),
      })),
    );
  });

  it("keeps the text's own capitals and estimates missing times", () => {
    const [segment] = segmentsFromTokens({ text: "Guten Tag, Köln.", tokens: ["G"], timestamps: [] }, voice);
    expect(segment?.text).toBe("Guten Tag, Köln.");
    expect(segment?.words.map(({ text }) => text)).toEqual(["Guten", "Tag,", "Köln."]);
    expect(segment).toMatchObject({ start: 2, end: 5 });
  });

  it("makes no segments of an empty result", () => {
    expect(segmentsFromTokens({ text: "  ", tokens: [], timestamps: [] }, voice)).toEqual([]);
  });
});
