import { describe, expect, test } from "vitest";
import { align } from "#contract/correcting/align.ts";
import { replaceText, retimeSegment } from "#contract/correcting/retime.ts";
import { cpuMsOf } from "#tests/fixtures/cpu-time.ts";
import { segment } from "#tests/server/jobs/scripted.ts";

const words = (text: string) => text.split(" ").filter((word) => word !== "");

describe("align", () => {
  test.each([
    ["the same", "a b c", "a b c", [0, 1, 2]],
    ["a replacement", "a b c", "a x c", [0, -1, 2]],
    ["an insertion", "a c", "a b c", [0, -1, 1]],
    ["a removal", "a b c", "a c", [0, 2]],
    ["nothing before", "", "a", [-1]],
    ["nothing after", "a", "", []],
    ["a repeated word", "a b a b", "b a b", [1, 2, 3]],
  ])("retiming aligns %s", (_, before, after, expected) => {
    expect(align(words(before), words(after))).toEqual(expected);
  });

  test("aligns a book with corrections throughout quickly and finds nearly every word", () => {
    const before = Array.from({ length: 90_000 }, (_, i) => (i % 3 === 0 ? `word${i}` : "the"));
    const after = before.flatMap((word, i) => (i % 100 === 0 ? ["new", word] : i % 101 === 0 ? [] : [word]));
    let matches: readonly number[] = [];
    const spentMs = cpuMsOf(() => {
      matches = align(before, after);
    });
    expect(spentMs).toBeLessThan(2_000);
    const found = matches.filter((match) => match >= 0);
    expect(found.length).toBeGreaterThan(before.length * 0.98);
    expect(found.every((match, i) => i === 0 || match > (found[i - 1] ?? 0))).toBe(true);
    expect(matches.every((match, i) => match < 0 || before[match] === after[i])).toBe(true);
  });
});

describe("a segment with replaced words", () => {
  const marked = {
    start: 0,
    end: 4,
    text: "we run ACME Cloud today",
    words: [
      { text: "we", start: 0, end: 1 },
      { text: "run", start: 1, end: 1.5 },
      { text: "ACME Cloud", start: 1.5, end: 3, heard: "acme clod" },
      { text: "today", start: 3, end: 4 },
    ],
  };

  test("keeps the mark and time of a replaced word when another word is corrected", () => {
    const { words: timed } = retimeSegment(marked, "They run ACME Cloud, today");
    expect(timed).toEqual([
      { text: "They", start: 0, end: 1 },
      { text: "run", start: 1, end: 1.5 },
      { text: "ACME Cloud,", start: 1.5, end: 3, heard: "acme clod" },
      { text: "today", start: 3, end: 4 },
    ]);
  });

  test("splits a replaced word's time over the heard words when the user restores them", () => {
    const { words: timed } = retimeSegment(marked, "we run acme clod today");
    expect(timed.map(({ text }) => text)).toEqual(["we", "run", "acme", "clod", "today"]);
    expect(timed.every((word) => !("heard" in word))).toBe(true);
    expect([timed[2]?.start, timed[3]?.end]).toEqual([1.5, 3]);
    const inCase = retimeSegment({ ...marked, text: "ACME", words: [{ text: "ACME", start: 0, end: 4, heard: "acme" }] }, "acme");
    expect(inCase.words).toEqual([{ text: "acme", start: 0, end: 4 }]);
  });

  test("removes the mark of a replaced word when a part of it is corrected", () => {
    const { words: timed } = retimeSegment({ ...marked, heard: "we run acme clod today" }, "we run ACME Clouds today");
    expect(timed.map(({ text, heard }) => [text, heard])).toEqual(
      ["we", "run", "ACME", "Clouds", "today"].map((text) => [text, undefined]),
    );
    expect(retimeSegment({ ...marked, heard: "x" }, "we run")).not.toHaveProperty("heard");
  });
});

describe("retimeSegment", () => {
  const spoken = segment("one two three four", 10, 14);

  test("gives new words the time of the words that they replace, by length", () => {
    const { words: timed } = retimeSegment(spoken, "one a bbb four");
    expect(timed).toEqual([
      { text: "one", start: 10, end: 11 },
      { text: "a", start: 11, end: 11.5 },
      { text: "bbb", start: 11.5, end: 13 },
      { text: "four", start: 13, end: 14 },
    ]);
  });

  test("keeps words in order and within the segment, whatever the text", () => {
    for (const text of ["x", "zero one two three four five", "four three two one", "one one two two", "", "  two  "]) {
      const { words: timed, start, end } = retimeSegment(spoken, text);
      expect(timed.map((word) => word.text)).toEqual(words(text));
      let last = start;
      for (const word of timed) {
        expect(word.start).toBeGreaterThanOrEqual(last);
        expect(word.end).toBeGreaterThanOrEqual(word.start);
        last = word.end;
      }
      expect(last).toBeLessThanOrEqual(end);
    }
  });

  test("keeps the confidence of unchanged words and drops the translation", () => {
    const sure = { ...spoken, translation: "uno dos", words: spoken.words.map((word) => ({ ...word, confidence: 0.5 })) };
    const after = retimeSegment(sure, "One, six three four.");
    expect(after.words.map(({ confidence }) => confidence)).toEqual([undefined, undefined, 0.5, undefined]);
    expect(after.translation).toBeUndefined();
  });

  test("adds no word times to a corrected segment without them", () => {
    expect(retimeSegment({ start: 0, end: 1, text: "a", words: [] }, "b c")).toEqual({
      start: 0,
      end: 1,
      text: "b c",
      words: [],
    });
  });
});

describe("replaceText", () => {
  const spoken = [segment("good morning everyone", 0, 2), segment("today we speak of whales", 3, 6), segment("thank you", 7, 8)];
  const texts = (text: string) => replaceText(spoken, text).map((own) => own.text);

  test("leaves unchanged segments untouched", () => {
    const after = replaceText(spoken, "good morning everyone today we talk of whales thank you");
    expect(after[0]).toBe(spoken[0]);
    expect(after[1]?.text).toBe("today we talk of whales");
    expect(after[2]).toBe(spoken[2]);
  });

  test.each([
    [
      "an addition stays with the words before it",
      "good morning everyone here today we speak of whales thank you",
      ["good morning everyone here", "today we speak of whales", "thank you"],
    ],
    [
      "an addition at the beginning belongs to the first",
      "well good morning everyone today we speak of whales thank you",
      ["well good morning everyone", "today we speak of whales", "thank you"],
    ],
    ["a removal empties its segment", "good morning everyone thank you", ["good morning everyone", "", "thank you"]],
    ["something else altogether is shared out", "a b c d e f g h i j", ["a b c", "d e f g h", "i j"]],
    ["nothing", "", ["", "", ""]],
  ])("assigns a new text to segments: %s", (_, text, expected) => {
    expect(texts(text)).toEqual(expected);
  });
});
