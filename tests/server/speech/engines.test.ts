import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type SpeechLanguage, speechLanguages } from "#contract/index.ts";
import { onlyBuiltIn } from "#server/models/built-in.ts";
import { enginesFor } from "#server/speech/choose.ts";
import type { SpeechEngine } from "#server/speech/engine.ts";
import { gatherEngines } from "#server/speech/engines.ts";
import { openEngines } from "#server/speech/index.ts";

interface Own extends Pick<SpeechEngine, "keepsUp" | "quality"> {
  id: string;
  languages: readonly SpeechLanguage[];
  unavailable?: string;
  fault?: "missing" | "broken";
}

function engine({ id, languages, unavailable, fault, keepsUp, quality }: Own): SpeechEngine {
  return {
    id,
    name: id,
    offline: true,
    unavailable,
    fault,
    languages,
    keepsUp,
    ...(quality !== undefined && { quality }),
    parallel: 1,
    transcribe: async () => [],
    openStream: () => Promise.reject(new Error("not asked for here")),
    close: async () => undefined,
  };
}

describe("the choice of an engine", () => {
  it("chooses the first engine that supports the language", () => {
    const engines = gatherEngines([
      engine({ id: "sherpa", languages: ["de-DE"] }),
      engine({ id: "moonshine-tiny-en", languages: ["en"] }),
    ]);
    expect(engines.forLanguage("de-DE", "files")).toMatchObject({ engine: { id: "sherpa" }, language: "de-DE" });
    expect(engines.forLanguage("en", "files")?.engine.id).toBe("moonshine-tiny-en");
    expect(engines.forLanguage("fi-FI", "files")).toBeUndefined();
  });

  it('detects "auto" where an engine can, and otherwise uses the engine\'s only language', () => {
    const detecting = engine({ id: "openai", languages: speechLanguages });
    expect(
      gatherEngines([engine({ id: "moonshine-tiny-en", languages: ["en"] }), detecting]).forLanguage("auto", "files"),
    ).toEqual({
      engine: detecting,
      language: "auto",
    });
    expect(gatherEngines([engine({ id: "moonshine-tiny-en", languages: ["en"] })]).forLanguage("auto", "files")?.language).toBe(
      "en",
    );
    expect(gatherEngines([engine({ id: "sherpa", languages: ["fr-FR"] })]).forLanguage("auto", "files")?.language).toBe("fr-FR");
    expect(gatherEngines([]).forLanguage("auto", "files")).toBeUndefined();
  });

  it("lists all languages and engines with the reasons why they are unavailable", () => {
    const engines = gatherEngines([
      engine({ id: "sherpa", languages: ["fr-FR"], unavailable: "The model is broken.", fault: "broken" }),
      engine({ id: "moonshine-tiny-en", languages: ["en"], unavailable: "Install it.", fault: "missing" }),
    ]);
    const options = engines.options();
    expect(options.map(({ code }) => code)).toEqual(speechLanguages);
    const reasonOf = (code: SpeechLanguage) => options.find((option) => option.code === code)?.reason;
    expect([reasonOf("fr-FR"), reasonOf("en"), reasonOf("fi-FI"), reasonOf("auto")]).toEqual([
      "engineBroken",
      "engineMissing",
      "noEngine",
      "engineBroken",
    ]);
    expect(engines.infos()).toEqual([
      { id: "sherpa", name: "sherpa", offline: true, available: false, detail: "The model is broken." },
      { id: "moonshine-tiny-en", name: "moonshine-tiny-en", offline: true, available: false, detail: "Install it." },
    ]);
  });
});

describe("the choice between several models", () => {
  const model = (
    id: string,
    figures: { wordErrors?: number; factor?: number; fits?: boolean; isNamed?: boolean },
    languages = german,
  ) => {
    const { wordErrors, factor, fits = true, isNamed = false } = figures;
    const keepsUp = factor === undefined ? undefined : factor <= 0.9;
    return engine({ id, languages, keepsUp, quality: { wordErrors, factor, fits, isNamed } });
  };
  const german: SpeechLanguage[] = ["en", "de-DE"];
  const builtIn = model("moonshine-tiny-en", { wordErrors: 12.7, factor: 0.03 }, ["en"]);
  const order = (engines: SpeechEngine[], language: SpeechLanguage, use: "live" | "files", choices = onlyBuiltIn.choices()) =>
    enginesFor(engines, language, use, choices).map(({ id }) => id);

  it("prefers the fewest published word errors, and an unmeasured model to the built-in one", () => {
    const engines = [
      model("worse", { wordErrors: 15 }),
      builtIn,
      model("unknown", {}),
      model("small", { wordErrors: 6.1 }),
      model("base", { wordErrors: 8.9 }),
    ];
    expect(order(engines, "en", "files")).toEqual(["small", "base", "unknown", "moonshine-tiny-en", "worse"]);
    expect(order(engines, "de-DE", "files")).toEqual(["small", "base", "unknown", "worse"]);
  });

  // PROMISE models: The best model that keeps up is used; models share two thirds of the memory
  it("puts models that are too slow for live use after all others", () => {
    const engines = [model("medium", { wordErrors: 4.4, factor: 2 }), model("base", { wordErrors: 8.9, factor: 0.9 }), builtIn];
    expect(order(engines, "en", "files")).toEqual(["medium", "base", "moonshine-tiny-en"]);
    expect(order(engines, "en", "live")).toEqual(["base", "moonshine-tiny-en", "medium"]);
    expect(order([model("slow", { wordErrors: 1, factor: 3 }), model("less", { factor: 1.2 })], "de-DE", "live")).toEqual([
      "less",
      "slow",
    ]);
  });

  it("puts a model that needs more memory than available last", () => {
    const engines = [model("large", { wordErrors: 4, fits: false }), model("base", { wordErrors: 9 }), builtIn];
    expect(order(engines, "en", "files")).toEqual(["base", "moonshine-tiny-en", "large"]);
  });

  it("prefers a user's choice, then a remote server, then SPEECH_MODEL", () => {
    const remote = engine({ id: "openai", languages: speechLanguages });
    const engines = [remote, model("a", { wordErrors: 1 }), model("b", { isNamed: true }), builtIn];
    expect(order(engines, "en", "live")).toEqual(["openai", "b", "a", "moonshine-tiny-en"]);
    const choices = { ...onlyBuiltIn.choices(), live: { en: "moonshine-tiny-en", "de-DE": "gone" }, files: { en: "a" } };
    expect(order(engines, "en", "live", choices)[0]).toBe("moonshine-tiny-en");
    expect(order(engines, "en", "files", choices)[0]).toBe("a");
    expect(order(engines, "de-DE", "live", choices)[0]).toBe("openai");
  });

  it("reports different live and file engines and warns when live words come late", () => {
    const engines = gatherEngines([model("medium", { wordErrors: 4, factor: 2 }), builtIn]);
    const [auto, en, , , de] = engines.options();
    expect(en).toEqual({ code: "en", available: true, engine: "medium", liveEngine: "moonshine-tiny-en", live: true });
    expect(de).toEqual({ code: "de-DE", available: true, engine: "medium", live: true, keepsUp: false });
    expect(auto).toMatchObject({ engine: "medium", liveEngine: "moonshine-tiny-en", resolvesTo: "en" });
    expect(engines.modelOptions()).toEqual([
      {
        language: "en",
        candidates: [
          { id: "medium", name: "medium", keepsUp: false },
          { id: "moonshine-tiny-en", name: "moonshine-tiny-en", keepsUp: true },
        ],
        live: "moonshine-tiny-en",
        files: "medium",
      },
      { language: "de-DE", candidates: [{ id: "medium", name: "medium", keepsUp: false }], live: "medium", files: "medium" },
    ]);
  });
});

describe("openEngines on this machine", () => {
  it('recognizes English offline and resolves "auto" to English', async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "parlance-engines-"));
    const engines = await openEngines({ dataDir, parallel: 1 });
    expect(engines.all().map(({ id }) => id)).toEqual(["moonshine-tiny-en"]);
    expect(engines.options().slice(0, 3)).toEqual([
      { code: "auto", available: true, engine: "moonshine-tiny-en", resolvesTo: "en", live: true },
      { code: "en", available: true, engine: "moonshine-tiny-en", live: true },
      { code: "es-ES", available: false, live: false, reason: "noEngine" },
    ]);
    await engines.close();
    await rm(dataDir, { recursive: true });
  });

  // PROMISE speech: Only a configured engine outside of the machine is used; the page names it
  it("prefers a configured server to the built-in model", async () => {
    const engines = await openEngines({ dataDir: "/nowhere", apiUrl: "http://127.0.0.1:1/v1", parallel: 1 });
    expect(engines.all().map(({ id }) => id)).toEqual(["openai", "moonshine-tiny-en"]);
    expect(engines.options().every(({ available, engine: id }) => available && id === "openai")).toBe(true);
    await engines.close();
  });
});
