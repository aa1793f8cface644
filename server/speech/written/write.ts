import type { Segment } from "#contract/index.ts";
import { findNumbers } from "./numbers/numbers.ts";
import { isEnglish, isPlain } from "./plain.ts";
import type { FindReplacements } from "./replacements.ts";
import { rewritten, unmarkedText } from "./rewrite.ts";

/** How a person wants what was heard to be written. */
export interface Wording {
  replace: FindReplacements;
  /** Spoken, where a segment has none of its own. */
  language: string;
}

/**
 * Writes an engine's final segments as the person does, marked where that differs from what was heard: replacements first, as they name
 * what was heard, then numbers of an engine that spells them out.
 */
export function write(segments: readonly Segment[], { replace, language }: Wording): Segment[] {
  return segments.map((segment) => {
    const replaced = rewritten(segment, replace(segment.text));
    const hasNumbers = isEnglish(segment.language ?? language) && isPlain(segment.text);
    return hasNumbers ? rewritten(replaced, findNumbers(unmarkedText(replaced))) : replaced;
  });
}
