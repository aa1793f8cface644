import type { Segment } from "#contract/index.ts";

/** Texts to translate from one language to another, with their segments. */
export interface Direction {
  from: string;
  to: string;
  indices: number[];
  texts: string[];
}

/**
 * Removes translations: all, or all except those of a conversation's other side. A segment's own target language is
 * kept.
 */
export function bared(segments: readonly Segment[], which: "own" | "all"): Segment[] {
  return segments.map((segment) => {
    if (which === "own" && segment.translationLanguage !== undefined) return segment;
    const { translation: _, ...bare } = segment;
    return bare;
  });
}

/**
 * Texts without a translation, by direction. The other side of a conversation is translated from its language to the
 * owner's.
 */
export function directionsOf(segments: readonly Segment[], source: string, target: string): Direction[] {
  const directions = new Map<string, Direction>();
  for (const [index, { text, translation, language = source, translationLanguage = target }] of segments.entries()) {
    if (translation !== undefined || text.trim() === "") continue;
    const key = `${language}>${translationLanguage}`;
    const direction = directions.get(key) ?? { from: language, to: translationLanguage, indices: [], texts: [] };
    direction.indices.push(index);
    direction.texts.push(text);
    directions.set(key, direction);
  }
  return [...directions.values()];
}

/** The segments with their translations; the `texts` of each direction are the translated ones. */
export function withTranslations(segments: readonly Segment[], done: readonly Pick<Direction, "indices" | "texts">[]): Segment[] {
  const translated = [...segments];
  for (const { indices, texts } of done) {
    for (const [at, index] of indices.entries()) {
      const segment = translated[index];
      if (segment !== undefined) translated[index] = { ...segment, translation: texts[at] ?? "" };
    }
  }
  return translated;
}
