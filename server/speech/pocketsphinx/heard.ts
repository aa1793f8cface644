import * as v from "valibot";
import type { Segment, Word } from "#contract/index.ts";
import { capitalised, segmentsFrom, upperFirst, withCapitalI } from "../words.ts";

/** PocketSphinx counts time in frames of 10 ms (its option -frate, 100 by default). */
const framesPerSecond = 100;

/** A word of the best path; frames are counted from the beginning of the utterance and include the last one. */
export const HeardWord = v.object({
  /** As in the dictionary: "read(2)", "<sil>", "[NOISE]". */
  word: v.string(),
  firstFrame: v.number(),
  lastFrame: v.number(),
  /** Posterior probability, 0 to 1 (a little more by rounding). */
  probability: v.number(),
});
export type HeardWord = v.InferOutput<typeof HeardWord>;

/** "<s>", "<sil>", "[NOISE]", "++BREATH++": not words. */
const noWord = /^(?:<.*>|\[.*\]|\+\+.*\+\+)$/;
/** "read(2)": the second pronunciation. */
const pronunciation = /\(\d+\)$/;

/**
 * PocketSphinx's result as segments with times in seconds.
 * @param offset of the utterance, in seconds
 * @param isAudible whether there is any audio between two times, relative to the utterance
 */
export function segmentsOf(
  heard: readonly HeardWord[],
  offset: number,
  isAudible: (from: number, to: number) => boolean,
): Segment[] {
  const words: Word[] = [];
  for (const { word, firstFrame, lastFrame, probability } of heard) {
    const start = firstFrame / framesPerSecond;
    const end = (lastFrame + 1) / framesPerSecond;
    // Digital silence is recognised as "dog", because the silence model expects some hiss.
    if (noWord.test(word) || !isAudible(start, end)) continue;
    words.push({
      text: spelled(word),
      start: offset + start,
      end: offset + end,
      confidence: Math.min(Math.max(probability, 0), 1),
    });
  }
  return segmentsFrom(words).map(capitalised);
}

/** Interim text, formatted for display. */
export function readable(hypothesis: string): string {
  const words = hypothesis.split(" ").filter((word) => word !== "" && !noWord.test(word));
  return upperFirst(words.map(spelled).join(" "));
}

function spelled(word: string): string {
  return withCapitalI(word.replace(pronunciation, ""));
}
