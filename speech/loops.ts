import type { Segment } from "#contract/index.ts";
import { segmentsFrom } from "./words.ts";

/** Most letters spoken per second; fast speech has 20. */
const lettersPerSecond = 22;
/** The same three times within a word, or the same twelve letters twice. */
const loop = /(.{2,}?)\1\1|(.{12,}?)\W+\2/iu;
/** The same three or more times within a word. */
const loopInWord = /(.{2,}?)\1{2,}/giu;

/** Characters that are checked: the time grows with their square. */
const longestLooked = 1_000;

/**
 * Whether a text repeats itself and is longer than possible speech in this time: the recognizer was stuck in a loop.
 */
export function isLooping(text: string, seconds: number): boolean {
  return text.length > seconds * lettersPerSecond && loop.test(text.slice(0, longestLooked));
}

/** The segments, with repetitions reduced to one. */
export function cutLoop(segments: readonly Segment[]): Segment[] {
  const words = segments
    .flatMap((segment) => segment.words)
    .map((word) => ({ ...word, text: word.text.replace(loopInWord, "$1") }));
  const keys = words.map(({ text }) => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ""));
  for (let size = Math.floor(words.length / 2); size >= 1; size -= 1) {
    for (let at = 0; at + 2 * size <= words.length; ) {
      const isSame = keys.slice(at, at + size).join(" ") === keys.slice(at + size, at + 2 * size).join(" ");
      if (!isSame) at += 1;
      else for (const list of [words, keys]) list.splice(at + size, size);
    }
  }
  return segmentsFrom(words);
}
