import { describe, expect, it } from "vitest";
import { detectLanguage } from "#server/translation/detect.ts";
import type { TranslationEngine } from "#server/translation/engine.ts";
import { gatherTranslation } from "#server/translation/index.ts";

const some = new Set(["en", "es", "de", "fr", "ja", "ru"]);

describe("detectLanguage", () => {
  it.each([
    ["Where is the station?", "en"],
    ["Dónde está la estación", "es"],
    ["Guten Morgen", "de"],
    ["Je voudrais un café", "fr"],
    ["こんにちは", "ja"],
    ["Привет, как дела?", "ru"],
    ["12:30", undefined],
    ["", undefined],
  ])("detects the language of a text: %s: %s", async (text, language) => {
    expect(await detectLanguage(text, some)).toBe(language);
  });

  it("detects only languages from the given set", async () => {
    expect(await detectLanguage("God morgen", new Set(["no", "en"]))).toBe("no");
    expect(await detectLanguage("Привет, как дела?", new Set(["en", "es"]))).toBeUndefined();
  });
});

describe("texts in an unknown language", () => {
  const engine = (pairs: TranslationEngine["pairs"]): TranslationEngine => ({
    id: "bergamot",
    name: "Bergamot",
    offline: true,
    unavailable: undefined,
    pairs,
    translate: async (texts, { source, target }) => texts.map((text) => `${source}>${target} ${text}`),
  });
  const into = (target: string) => ({ source: "auto", target, person: "ann" });

  it("translates a text from its detected language", async () => {
    const pairs = [
      { source: "es", target: "en" },
      { source: "en", target: "es" },
      { source: "de", target: "en" },
    ];
    const translation = gatherTranslation([engine(pairs)]);
    expect(await translation.translate(["La casa es grande."], into("en"))).toEqual(["es>en La casa es grande."]);
    expect(await translation.translate(["The house is big."], into("es"))).toEqual(["en>es The house is big."]);
  });

  it("leaves a text unchanged that is in the target language already", async () => {
    const translation = gatherTranslation([engine([{ source: "es", target: "en" }])]);
    expect(await translation.translate(["Where is the station?"], into("en-GB"))).toEqual(["Where is the station?"]);
  });

  it('passes "auto" to an engine that detects the language itself', async () => {
    const translation = gatherTranslation([engine([{ source: "auto", target: "en" }])]);
    expect(await translation.translate(["Hola"], into("en"))).toEqual(["auto>en Hola"]);
  });

  it("refuses to translate when the language can't be detected", async () => {
    const translation = gatherTranslation([engine([{ source: "es", target: "en" }])]);
    for (const text of ["12:30", "Привет"]) {
      await expect(translation.translate([text], into("en"))).rejects.toMatchObject({ code: "translationUnavailable" });
    }
  });
});
