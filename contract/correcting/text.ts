import type { Segment } from "#contract/index.ts";
import { normalForm } from "#contract/normal-form.ts";

/** The full text of a transcript, for history and search. */
export function textOf(segments: readonly Segment[]): string {
  return joined(segments.map(({ text }) => text));
}

export function translatedTextOf(segments: readonly Segment[]): string {
  return joined(segments.map(({ translation }) => translation ?? ""));
}

function joined(texts: readonly string[]): string {
  return texts
    .map((text) => text.trim())
    .filter((text) => text !== "")
    .join(" ");
}

/** The words of a text in their original spelling. */
export function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== "");
}

/** The normal form of a word for comparison: letters and digits, lower case. */
export function wordKey(word: string): string {
  const key = normalForm(word, "NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, "");
  return key === "" ? word : key;
}
