import type { Segment, Word } from "../../../src/api/contract/index.ts";
import { pcmRate } from "../engine.ts";
import { vadFrame } from "../vad.ts";
import { capitalised, segmentsFrom, upperFirst, withCapitalI } from "../words.ts";
import type { HeardWord } from "./protocol.ts";

/** PocketSphinx counts time in frames of 10 ms (its option -frate, 100 by default). */
const framesPerSecond = 100;

/** "<s>", "<sil>", "[NOISE]", "++BREATH++": not words. */
const noWord = /^(?:<.*>|\[.*\]|\+\+.*\+\+)$/;
/** "read(2)": the second pronunciation. */
const pronunciation = /\(\d+\)$/;

/** Less than this above the noise, nothing was said, whatever the decoder makes of it (dB). */
const faintAbove = 4;

/**
 * What PocketSphinx heard, as segments with times in seconds.
 * @param offset of the utterance, in seconds
 * @param isAudible whether there is any sound between two times, counted from the beginning of the utterance
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
    // Digital silence makes it hear "dog": the silence model expects some hiss.
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

/** Interim text as people read it. */
export function readable(hypothesis: string): string {
  const words = hypothesis.split(" ").filter((word) => word !== "" && !noWord.test(word));
  return upperFirst(words.map(spelled).join(" "));
}

function spelled(word: string): string {
  return withCapitalI(word.replace(pronunciation, ""));
}

/** @param levels of the utterance's frames (dBFS) @param floor the level of the noise */
export function audibility(levels: readonly number[], floor: number): (from: number, to: number) => boolean {
  const perSecond = pcmRate / vadFrame;
  return (from, to) =>
    levels.slice(Math.floor(from * perSecond), Math.ceil(to * perSecond)).some((level) => level > floor + faintAbove);
}
