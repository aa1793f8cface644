import * as v from "valibot";
import type { Segment } from "#contract/index.ts";

/** The translation of a passage, with what the passage was then: its start (seconds) and its text. */
const HiddenTranslation = v.object({
  start: v.number(),
  text: v.string(),
  translation: v.string(),
  /** Of a conversation. */
  turn: v.optional(v.string()),
});
type HiddenTranslation = v.InferOutput<typeof HiddenTranslation>;

/** Translations by their language; stored as JSON. */
const Hidden = v.record(v.string(), v.array(HiddenTranslation));
export type Hidden = v.InferOutput<typeof Hidden>;

export const parseHidden = (json: string): Hidden => v.parse(Hidden, JSON.parse(json));

/**
 * With the translations that segments lose; of a language that is known already, these replace all.
 * @param target the language of the translations that don't say theirs; null: it is not known, and they are not kept
 */
export function withHidden(
  hidden: Hidden,
  { before, after, target }: { before: readonly Segment[]; after: readonly Segment[]; target: string | null },
): Hidden {
  const lost = before.flatMap(({ start, text, translation, translationLanguage = target, turn }, index) =>
    translation === undefined || translationLanguage === null || after[index]?.translation !== undefined
      ? []
      : [{ language: translationLanguage, start, text, translation, ...(turn !== undefined && { turn }) }],
  );
  const byLanguage = Map.groupBy(lost, ({ language }) => language);
  const added = [...byLanguage].map(([language, all]) => [language, all.map(({ language: _, ...one }) => one)] as const);
  return { ...hidden, ...Object.fromEntries(added) };
}

/** Segments with their translations of earlier where their texts are the same; and what is still hidden. */
export function withShownAgain(
  segments: readonly Segment[],
  hidden: Hidden,
  target: string,
): { segments: Segment[]; hidden: Hidden } {
  const shown = [...segments];
  const left = new Map(Object.entries(hidden));
  const missing = [...segments.entries()].filter(([, { translation }]) => translation === undefined);
  const byLanguage = Map.groupBy(missing, ([, { translationLanguage = target }]) => translationLanguage);
  for (const [language, own] of byLanguage) {
    for (const [index, translation] of matched(own, left.get(language) ?? [])) {
      const segment = shown[index];
      if (segment !== undefined) shown[index] = { ...segment, translation };
    }
    left.delete(language);
  }
  left.delete(target);
  return { segments: shown, hidden: Object.fromEntries(left) };
}

/** By the index of the segment. Of passages with the same text, those that are still in their places come first. */
function matched(segments: readonly [number, Segment][], known: readonly HiddenTranslation[]): [number, string][] {
  const here = new Map(segments.map(([index, { start, text }]) => [`${start} ${text}`, index]));
  const taken: [number, string][] = [];
  const moved: HiddenTranslation[] = [];
  for (const one of known) {
    const index = here.get(`${one.start} ${one.text}`);
    if (index === undefined) moved.push(one);
    else taken.push([index, one.translation]);
  }
  if (moved.length === 0) return taken;
  const done = new Set(taken.map(([index]) => index));
  const byText = Map.groupBy(moved, ({ text }) => text);
  for (const [index, { text }] of segments) {
    const next = done.has(index) ? undefined : byText.get(text)?.shift();
    if (next !== undefined) taken.push([index, next.translation]);
  }
  return taken;
}

/** Without those of turns of a conversation that are not there any more. */
export function hiddenOfTurns(hidden: Hidden, turns: readonly { turn_id: string }[]): Hidden {
  const known = new Set(turns.map(({ turn_id }) => turn_id));
  const isKnown = ({ turn }: HiddenTranslation) => turn === undefined || known.has(turn);
  return Object.fromEntries(Object.entries(hidden).map(([language, all]) => [language, all.filter(isKnown)]));
}
