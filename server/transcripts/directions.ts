import type { Segment } from "../../src/api/contract/index.ts";
import { Problem } from "../problem.ts";
import type { Translator } from "./translator.ts";

export interface Translated {
  segments: Segment[];
  /** Why some have no translation. */
  problem?: Problem;
}

/**
 * Gives a translation to each segment that has none yet, in its own direction: what the other side of a conversation has said goes from
 * its language to the owner's. A direction that can't be translated does not keep the others from it.
 */
export async function translateEach(
  translator: Translator,
  segments: readonly Segment[],
  source: string,
  target: string,
): Promise<Translated> {
  const directions = Map.groupBy(
    segments.keys(),
    (index) => `${segments[index]?.language ?? source}>${segments[index]?.translationLanguage ?? target}`,
  );
  const translated = [...segments];
  let problem: Problem | undefined;
  for (const [direction, indices] of directions) {
    const [from = source, to = target] = direction.split(">");
    try {
      const own = indices.flatMap((index) => segments[index] ?? []);
      const done = await translator.translateSegments(own, from, to);
      for (const [at, segment] of done.entries()) translated[indices[at] ?? -1] = segment;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      problem ??= error;
    }
  }
  return problem === undefined ? { segments: translated } : { segments: translated, problem };
}
