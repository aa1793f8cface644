import { expect, test } from "vitest";
import type { Segment } from "#contract/index.ts";
import type { TranslationOrder } from "#machines/vault/translation.ts";
import { translated, translatedExtent, untranslated } from "#src/features/vault/translated-text.ts";
import { transcription } from "#tests/machines/harness.ts";

const segment = (text: string, parts: Partial<Segment> = {}): Segment => ({ start: 0, end: 1, text, words: [], ...parts });

const textOf = (targetLanguage: string | null, ...segments: Segment[]) => transcription({ targetLanguage, segments });

const order: TranslationOrder = { source: "en", target: "de", replaces: false };
const none = new Map<string, string>();

test("translates each missing text once, in batches of about a second", () => {
  const long = "x".repeat(600);
  const whole = textOf("de", segment(long), segment(`${long}y`), segment("Yes."), segment(" "), segment("Yes."));
  expect(untranslated(whole, order, none)).toEqual([[long, `${long}y`], ["Yes."]]);
  expect(untranslated(whole, order, new Map([["Yes.", "Ja."]]))).toEqual([[long, `${long}y`]]);
});

test("translates only passages in the text's language", () => {
  const other = segment("Guten Tag.", { language: "de-DE", translation: "Good day.", translationLanguage: "en" });
  const whole = textOf(null, segment("Hello."), other);
  expect(untranslated(whole, order, none)).toEqual([["Hello."]]);
  const after = translated(whole, order, new Map([["Hello.", "Hallo."]]));
  expect(after.segments).toEqual([segment("Hello.", { translation: "Hallo." }), other]);
  expect([after.targetLanguage, after.translatedText, translatedExtent(after, "en")]).toEqual(["de", "Hallo. Good day.", "all"]);
});

test("never mixes two languages, even after a correction", () => {
  const whole = textOf("es", segment("Hello.", { translation: "Hola." }), segment("Yes.", { translation: "Sí." }));
  expect(() => untranslated(whole, order, none)).toThrow("conflict");
  const anew = { ...order, replaces: true };
  expect(untranslated(whole, anew, none)).toEqual([["Hello.", "Yes."]]);
  const after = translated(whole, anew, new Map([["Hello.", "Hallo."]]));
  expect(after.segments).toEqual([segment("Hello.", { translation: "Hallo." }), segment("Yes.")]);
  expect(translatedExtent(after, "en")).toBe("some");
});
