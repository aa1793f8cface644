import { longestLetter } from "#contract/exports/subtitles/limits.ts";

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });
const longWords = new RegExp(`\\S{${longestLetter + 1},}`, "gu");
const manySigns = new RegExp(`(\\p{Cf}{${longestLetter}})\\p{Cf}+`, "gu");

/**
 * Removes from a text to be drawn the marks of a letter (UAX #29) beyond those of any language: they would be drawn
 * above each other, which takes time with their square.
 */
export function withShortLetters(text: string): string {
  return text.replace(longWords, (word) =>
    Array.from(graphemes.segment(word.replace(manySigns, "$1")), ({ segment }) =>
      segment.length > longestLetter ? [...segment].slice(0, longestLetter).join("") : segment,
    ).join(""),
  );
}
