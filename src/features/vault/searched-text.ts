import * as v from "valibot";
import { folded } from "#contract/search/terms.ts";
import { Seconds } from "#contract/transcription.ts";

/** The part of a transcription that the search needs. Omits its words. */
const Searched = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    text: v.string(),
    segments: v.array(
      v.object({ start: Seconds, text: v.string(), translation: v.optional(v.string()), speaker: v.optional(v.string()) }),
    ),
  }),
);

export interface SearchedPassage {
  /** Seconds; null in a text without times. */
  start: number | null;
  speaker: string | null;
  text: string;
  /** The text without case and accents. */
  plain: string;
}

export type SearchedText = readonly SearchedPassage[];

/**
 * @param json a transcription
 * @throws ValiError when it is malformed
 */
export function searchedText(json: string): SearchedText {
  const { text, segments } = v.parse(Searched, json);
  if (segments.length === 0) return text === "" ? [] : [{ start: null, speaker: null, text, plain: folded(text) }];
  return segments.flatMap(({ start, speaker = null, text: said, translation = "" }) =>
    [said, translation].filter((one) => one !== "").map((one) => ({ start, speaker, text: one, plain: folded(one) })),
  );
}
