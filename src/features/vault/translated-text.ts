import { translatedTextOf } from "#contract/correcting/text.ts";
import type { Segment, Transcription } from "#contract/index.ts";
import type { TranslationOrder } from "#machines/vault/translation.ts";
import { baseLanguage } from "#src/i18n/base-language.ts";
import { VaultFailure } from "./worker.ts";

/** Characters of the passages that are translated in one batch: about a second of work. */
const batchCharacters = 1000;

const isTranslated = ({ translation = "" }: Segment): boolean => translation !== "";

/**
 * Whether a passage is in the source language. In a conversation, the other side's passages have their own language.
 */
export const isSpokenIn = (source: string, { language, text }: Segment): boolean =>
  text.trim() !== "" && (language === undefined || baseLanguage(language) === source);

/**
 * Whether to translate a passage: it is in the source language, and has no translation unless translations are
 * replaced.
 */
const isWanted = ({ source, replaces }: TranslationOrder, segment: Segment): boolean =>
  isSpokenIn(source, segment) && (replaces || !isTranslated(segment));

/** How much of a text has been translated from the source language. */
export function translatedExtent({ segments }: Transcription, source: string): "none" | "some" | "all" {
  const own = segments.filter((segment) => isSpokenIn(source, segment));
  if (!own.some(isTranslated)) return "none";
  return own.every(isTranslated) ? "all" : "some";
}

/**
 * The distinct texts of the passages to translate, in batches.
 * @param made existing translations, by source text
 * @throws VaultFailure `conflict` when another tab has translated the text into another language meanwhile
 */
export function untranslated(whole: Transcription, order: TranslationOrder, made: ReadonlyMap<string, string>): string[][] {
  const isOther = whole.targetLanguage !== order.target && translatedExtent(whole, order.source) !== "none";
  if (isOther && !order.replaces) throw new VaultFailure("conflict");
  const texts = whole.segments.filter((segment) => isWanted(order, segment)).map(({ text }) => text);
  const batches: string[][] = [];
  let size = batchCharacters;
  for (const text of new Set(texts)) {
    if (made.has(text)) continue;
    if (size >= batchCharacters) {
      batches.push([]);
      size = 0;
    }
    batches.at(-1)?.push(text);
    size += text.length;
  }
  return batches;
}

/** The text with its translations. A passage that was corrected meanwhile gets none, because its text differs. */
export function translated(whole: Transcription, order: TranslationOrder, made: ReadonlyMap<string, string>): Transcription {
  const segments = whole.segments.map((segment) => {
    if (!isWanted(order, segment)) return segment;
    const { translation: _, translationLanguage: __, ...bare } = segment;
    const translation = made.get(segment.text);
    return translation === undefined ? bare : { ...bare, translation };
  });
  return { ...whole, segments, targetLanguage: order.target, translatedText: translatedTextOf(segments) };
}
