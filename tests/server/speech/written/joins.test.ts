import { describe, expect, it } from "vitest";
import type { Segment } from "#contract/index.ts";
import { tidyStart, withTidyJoins } from "#speech/written/joins.ts";

/** A segment of one second with the given start. */
function said(text: string, start: number): Segment {
  const words = text.split(" ").map((word) => ({ text: word, start, end: start + 1 }));
  return { start, end: start + 1, text, words };
}

const joined = (texts: readonly string[], { gap = 0.5, language = "en" } = {}) =>
  withTidyJoins(
    texts.map((text, at) => [said(text, at * (1 + gap))]),
    language,
  );
const textOf = (segments: readonly Segment[]) => segments.map(({ text }) => text).join(" ");

describe("withTidyJoins", () => {
  it.each([
    ["joins a sentence that was cut", ["And so ask not.", "What your country"], "And so ask not what your country"],
    ["keeps a sentence that ends", ["Ask me.", "What is it?"], "Ask me. What is it?"],
    ["gives a capital after a full stop", ["It rained.", "then it stopped."], "It rained. Then it stopped."],
    ["drops marks that begin a text", ["One,", ", two", ". three"], "One, two three"],
    ["keeps names that are known from elsewhere", ["I saw Anna with the.", "Anna said"], "I saw Anna with the Anna said"],
    ["keeps I and abbreviations", ["and.", "I'm here and.", "NASA is"], "and I'm here and NASA is"],
  ])("joining hyphenated words: %s", (_, texts, tidy) => {
    expect(textOf(joined(texts))).toBe(tidy);
  });

  it("changes the words along with the text", () => {
    for (const { text, words } of joined(["And so ask not.", ", What your country"])) {
      expect(words.map((word) => word.text).join(" ")).toBe(text);
    }
  });

  it("takes a long silence or another language for the end of a sentence", () => {
    expect(textOf(joined(["ask not.", "What"], { gap: 3 }))).toBe("ask not. What");
    expect(textOf(joined(["Fang an.", "Was"], { language: "de-DE" }))).toBe("Fang an. Was");
  });

  it("changes nothing between the segments of one text", () => {
    expect(textOf(withTidyJoins([[said("ask not.", 0), said("What", 1.5)]], "en"))).toBe("ask not. What");
  });
});

it("tidies the start of a dictated text after the end of a sentence", () => {
  expect(tidyStart(said(", and then", 2), said("It rained.", 0)).text).toBe("And then");
  expect(tidyStart(said("and then", 2), undefined).text).toBe("and then");
});
