import * as v from "valibot";
import type { Segment } from "#contract/index.ts";

/** A passage's translation, with the passage's start (seconds) and text at that time. */
const HiddenTranslation = v.object({
  start: v.number(),
  text: v.string(),
  translation: v.string(),
  /** Id of the turn, in a conversation. */
  turn: v.optional(v.string()),
});
type HiddenTranslation = v.InferOutput<typeof HiddenTranslation>;

/** Translations by their language; stored as JSON. */
const Hidden = v.record(v.string(), v.array(HiddenTranslation));
export type Hidden = v.InferOutput<typeof Hidden>;

export const parseHidden = (json: string): Hidden => v.parse(Hidden, JSON.parse(json));

/**
 * Adds the translations that segments lose. They replace all hidden ones of the same language.
 * @param target the language of translations without a language of their own; null: unknown, and they are dropped
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

/** Segments with their earlier translations where the texts are the same, and the translations that stay hidden. */
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

/**
 * Translations by the index of the segment. Among passages with the same text, those still in their places come first.
 */
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

/** Removes translations of conversation turns that no longer exist. */
export function hiddenOfTurns(hidden: Hidden, turns: readonly { turn_id: string }[]): Hidden {
  const known = new Set(turns.map(({ turn_id }) => turn_id));
  const isKnown = ({ turn }: HiddenTranslation) => turn === undefined || known.has(turn);
  return Object.fromEntries(Object.entries(hidden).map(([language, all]) => [language, all.filter(isKnown)]));
}
