import type { Segment, Word } from "#contract/index.ts";
import { spreadWords } from "./spread.ts";
import type { Voice } from "./voice.ts";
import { capitalised, segmentsFrom, shifted } from "./words.ts";

/** Corrects the case: models trained on capitals give "HELLO". */
export function plain(text: string): string {
  const trimmed = text.trim().replace(/\s+/g, " ");
  const isUpper = trimmed === trimmed.toUpperCase() && trimmed !== trimmed.toLowerCase();
  return isUpper ? trimmed.toLowerCase() : trimmed;
}

/**
 * The segments of a voice's text, with times in the recording.
 * @param timed its words, with times from the voice's beginning; default: the words are spread over the stretches
 *   with speech
 */
export function segmentsFromText(given: string, { offset, spoken }: Pick<Voice, "offset" | "spoken">, timed?: Word[]): Segment[] {
  const text = plain(given);
  const isLower = text === text.toLowerCase();
  return segmentsFrom(timed ?? spreadWords(text, spoken)).map((segment) =>
    shifted(isLower ? capitalised(segment) : segment, offset),
  );
}
