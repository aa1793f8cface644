import type { Segment } from "#contract/index.ts";
import type { Punctuator } from "../punctuation/punctuator.ts";
import { findNumbers } from "./numbers/numbers.ts";
import { isEnglish, isPlain } from "./plain.ts";
import { punctuated } from "./punctuate.ts";
import type { FindReplacements } from "./replacements.ts";
import { rewritten, unmarkedText } from "./rewrite.ts";

/** How a person wants what was recognized to be written. */
export interface Wording {
  replace: FindReplacements;
  /** Spoken, where a segment has none of its own. */
  language: string;
  punctuator: Pick<Punctuator, "punctuate">;
  signal?: AbortSignal;
}

/**
 * Writes an engine's final segments as the person does, with marks where they differ: replacements first, as they name
 * what was recognized; then numbers, and casing and punctuation, of an engine that gives neither.
 */
export async function write(segments: readonly Segment[], wording: Wording): Promise<Segment[]> {
  const { replace, language, punctuator, signal } = wording;
  const isBare = (segment: Segment) => isEnglish(segment.language ?? language) && isPlain(segment.text);
  const worded = segments.map((segment) => {
    const replaced = rewritten(segment, replace(segment.text));
    return isBare(segment) ? rewritten(replaced, findNumbers(unmarkedText(replaced))) : replaced;
  });
  // One that has punctuation already comes of an engine that gives it: then nothing of it is touched.
  if (!segments.every(isBare)) return worded;
  return punctuated(worded, (text) => punctuator.punctuate(text, "en", signal));
}
