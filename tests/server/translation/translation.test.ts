import { describe, expect, it } from "vitest";
import { baseLanguage, type LanguagePair, type TranslationEngine, TranslationError } from "#server/translation/engine.ts";
import { gatherTranslation, openTranslation } from "#server/translation/index.ts";
import { inMemoryModels } from "#tests/server/models/in-memory.ts";
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
const wanted = { ...enEs, person: "ann" };

describe("baseLanguage", () => {
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
  ])("maps the code %s to %s", (code, base) => {
    expect(baseLanguage(code)).toBe(base);
  });
});

describe("the choice of a translation engine", () => {
  it("uses the first working engine for the pair, whatever the region", async () => {
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
    expect(await translation.translate(["a", "b"], { source: "en", target: "es-ES", person: "ann" })).toEqual([
      "libretranslate en>es-ES a",
      "libretranslate en>es-ES b",
    ]);
    expect(await translation.translate(["a"], { source: "es", target: "en", person: "ann" })).toEqual(["apertium es>en a"]);
    expect(translation.infos().map(({ available, detail }) => [available, detail])).toEqual([
      [false, "no server"],
      [true, undefined],
      [true, undefined],
    ]);
  });

  it("reports that texts stay on this machine only when every engine for the pair is offline", () => {
    const away = { ...engine("openai", [enEs, { source: "es", target: "en" }]), offline: false };
    const translation = gatherTranslation([{ ...engine("apertium", [enEs]), offline: true }, away]);
    const stays = [
      ["en-GB", "es-ES"],
      ["es", "en"],
      ["en", "fi"],
    ].map(([source = "", target = ""]) => translation.staysHere(source, target));
    expect(stays).toEqual([true, false, false]);
  });

  it("reports translationUnavailable when there is no engine", async () => {
    const asked = gatherTranslation([]).translate(["a"], wanted);
    await expect(asked).rejects.toMatchObject({ name: "TranslationError", code: "translationUnavailable" });
  });
});

describe("openTranslation on this machine", () => {
  it("translates between English and Spanish offline", async () => {
    const translation = await openTranslation({});
    expect(translation.supports("en", "es")).toBe(true);
    expect(await translation.translate(["Good morning."], wanted)).toEqual(["Buenos días."]);
  });

  it("prefers a configured server and skips one that is down", async () => {
    const translation = await openTranslation({ libreUrl: await deadUrl() });
    expect(translation.infos().map(({ id, available }) => [id, available])).toEqual([
      ["libretranslate", false],
      ["apertium", true],
    ]);
    expect(await translation.translate(["Good morning."], wanted)).toEqual(["Buenos días."]);
    const chat = await openTranslation({ apiUrl: "http://127.0.0.1:1/v1" });
    expect(chat.pairs().find(({ source, target }) => source === "en" && target === "es")?.engine).toBe("openai");
  });
});

describe("an administrator's choice of engines for a pair", () => {
  const cloud = (id: TranslationEngine["id"]) => ({ ...engine(id, [enEs]), offline: false });
  const failing = (one: TranslationEngine): TranslationEngine => ({
    ...one,
    translate: async () => {
      throw new TranslationError("translationFailed", `${one.id} failed`);
    },
  });
  const choosing = (...ids: string[]) => {
    const models = inMemoryModels();
    models.choose({ translation: { "en>es": ids } });
    return models;
  };

  it("follows a changed choice of engines without a restart", async () => {
    const models = inMemoryModels();
    const translation = gatherTranslation([cloud("openai"), engine("bergamot", [enEs]), engine("apertium", [enEs])], models);
    expect(translation.pairs()).toEqual([{ ...enEs, engine: "openai" }]);
    models.choose({ translation: { "en>es": ["apertium", "bergamot"] } });
    expect(translation.pairs()).toEqual([{ ...enEs, engine: "apertium" }]);
    expect(await translation.translate(["a"], { source: "en-GB", target: "es", person: "ann" })).toEqual(["apertium en-GB>es a"]);
    expect(translation.options()).toEqual([
      {
        ...enEs,
        engines: [
          { id: "apertium", name: "apertium" },
          { id: "bergamot", name: "bergamot" },
          { id: "openai", name: "openai" },
        ],
      },
    ]);
  });

  it("falls back to the next chosen engine when one fails", async () => {
    const models = choosing("openai", "bergamot", "apertium");
    const translation = gatherTranslation(
      [failing(cloud("openai")), failing(engine("bergamot", [enEs])), engine("apertium", [enEs])],
      models,
    );
    expect(await translation.translate(["a"], wanted)).toEqual(["apertium en>es a"]);
    models.choose({});
    await expect(translation.translate(["a"], wanted)).rejects.toThrow("openai failed");
  });

  it("never sends a text to a remote engine because a local one failed", async () => {
    const engines = [cloud("openai"), failing(engine("bergamot", [enEs])), engine("apertium", [enEs])];
    const translation = gatherTranslation(engines, choosing("bergamot", "openai", "apertium"));
    expect(await translation.translate(["a"], wanted)).toEqual(["apertium en>es a"]);
    const only = gatherTranslation(engines, choosing("bergamot", "openai"));
    await expect(only.translate(["a"], wanted)).rejects.toThrow("bergamot failed");
  });

  it("falls back to local engines when the chosen engines are gone", async () => {
    const translation = gatherTranslation([cloud("openai"), engine("apertium", [enEs])], choosing("bergamot"));
    expect(translation.pairs()).toEqual([{ ...enEs, engine: "apertium" }]);
    const none = gatherTranslation([cloud("openai")], choosing("bergamot"));
    expect([none.pairs(), none.supports("en", "es")]).toEqual([[], false]);
    await expect(none.translate(["a"], wanted)).rejects.toMatchObject({ code: "translationUnavailable" });
  });

  it("tries no further engine after the caller has aborted", async () => {
    const stopping = new AbortController();
    const leaving: TranslationEngine = {
      ...engine("bergamot", [enEs]),
      translate: async () => {
        stopping.abort(new Error("cancelled"));
        throw new TranslationError("translationFailed", "stopped");
      },
    };
    const translation = gatherTranslation([leaving, engine("apertium", [enEs])], choosing("bergamot", "apertium"));
    await expect(translation.translate(["a"], { ...wanted, signal: stopping.signal })).rejects.toThrow("cancelled");
  });
});
