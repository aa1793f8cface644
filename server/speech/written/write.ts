import type { Segment } from "#contract/index.ts";
import type { FindReplacements } from "./replacements.ts";
import { rewritten } from "./rewrite.ts";

/** How a person wants what was heard to be written. */
export interface Wording {
  replace: FindReplacements;
}

/** Writes an engine's final segments as the person does, marked where that differs from what was heard. */
export function write(segments: readonly Segment[], { replace }: Wording): Segment[] {
  return segments.map((segment) => rewritten(segment, replace(segment.text)));
}
