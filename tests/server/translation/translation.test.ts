import { describe, expect, it } from "vitest";
import { baseLanguage, type LanguagePair, type TranslationEngine } from "#server/translation/engine.ts";
import { gatherTranslation, openTranslation } from "#server/translation/index.ts";
import { deadUrl } from "#tests/server/speech/remote-api.ts";

function engine(id: TranslationEngine["id"], pairs: LanguagePair[], unavailable?: string): TranslationEngine {
  return {
    id,
    name: id,
    offline: true,
    unavailable,
    pairs,
    translate: async (texts, { source, target }) => texts.map((text) => `${id} ${source}>${target} ${text}`),
  };
}

const enEs = { source: "en", target: "es" };

describe("languages", () => {
  it.each([
    ["es-ES", "es"],
    ["pt-br", "pt"],
    ["eng", "en"],
    ["spa", "es"],
    ["no-NO", "no"],
    ["nob", "no"],
    ["nb", "no"],
    ["zh-TW", "zh"],
    ["oci@aran", "oc"],
    ["auto", "auto"],
    ["", ""],
  ])("%s is %s", (code, base) => {
    expect(baseLanguage(code)).toBe(base);
  });
});

describe("which engine translates", () => {
  it("the first that knows the pair and works, whatever the region", async () => {
    const translation = gatherTranslation([
      engine("openai", [enEs], "no server"),
      engine("libretranslate", [enEs]),
      engine("apertium", [enEs, { source: "es", target: "en" }]),
    ]);
    expect(translation.pairs()).toEqual([
      { ...enEs, engine: "libretranslate" },
      { source: "es", target: "en", engine: "apertium" },
    ]);
    expect(translation.supports("en-GB", "es-ES")).toBe(true);
    expect(translation.supports("en", "fi")).toBe(false);
    expect(await translation.translate(["a", "b"], { source: "en", target: "es-ES" })).toEqual([
      "libretranslate en>es-ES a",
      "libretranslate en>es-ES b",
    ]);
    expect(await translation.translate(["a"], { source: "es", target: "en" })).toEqual(["apertium es>en a"]);
    expect(translation.infos().map(({ available, detail }) => [available, detail])).toEqual([
      [false, "no server"],
      [true, undefined],
      [true, undefined],
    ]);
  });

  it("none is said clearly", async () => {
    const asked = gatherTranslation([]).translate(["a"], enEs);
    await expect(asked).rejects.toMatchObject({ name: "TranslationError", code: "translationUnavailable" });
  });
});

describe("on this machine", () => {
  it("English and Spanish work offline", async () => {
    const translation = await openTranslation({});
    expect(translation.supports("en", "es")).toBe(true);
    expect(await translation.translate(["Good morning."], enEs)).toEqual(["Buenos días."]);
  });

  it("a server that is configured comes first; one that is down is left out", async () => {
    const translation = await openTranslation({ libreUrl: await deadUrl() });
    expect(translation.infos().map(({ id, available }) => [id, available])).toEqual([
      ["libretranslate", false],
      ["apertium", true],
    ]);
    expect(await translation.translate(["Good morning."], enEs)).toEqual(["Buenos días."]);
    const chat = await openTranslation({ apiUrl: "http://127.0.0.1:1/v1" });
    expect(chat.pairs().find(({ source, target }) => source === "en" && target === "es")?.engine).toBe("openai");
  });
});
