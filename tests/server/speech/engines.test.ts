import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type SpeechLanguage, speechLanguages } from "#contract/index.ts";
import type { SpeechEngine } from "#server/speech/engine.ts";
import { gatherEngines } from "#server/speech/engines.ts";
import { openEngines } from "#server/speech/index.ts";

interface Own {
  id: SpeechEngine["id"];
  languages: readonly SpeechLanguage[];
  unavailable?: string;
  fault?: "missing" | "broken";
}

function engine({ id, languages, unavailable, fault }: Own): SpeechEngine {
  return {
    id,
    name: id,
    offline: true,
    unavailable,
    fault,
    languages,
    parallel: 1,
    transcribe: async () => [],
    openStream: () => Promise.reject(new Error("not asked for here")),
    close: async () => undefined,
  };
}

describe("which engine does what", () => {
  it("the first that hears the language", () => {
    const engines = gatherEngines([
      engine({ id: "sherpa", languages: ["de-DE"] }),
      engine({ id: "pocketsphinx", languages: ["en"] }),
    ]);
    expect(engines.forLanguage("de-DE")).toMatchObject({ engine: { id: "sherpa" }, language: "de-DE" });
    expect(engines.forLanguage("en")?.engine.id).toBe("pocketsphinx");
    expect(engines.forLanguage("fi-FI")).toBeUndefined();
  });

  it("auto is detected where an engine can, else it is what is heard here", () => {
    const detecting = engine({ id: "openai", languages: speechLanguages });
    expect(gatherEngines([engine({ id: "pocketsphinx", languages: ["en"] }), detecting]).forLanguage("auto")).toEqual({
      engine: detecting,
      language: "auto",
    });
    expect(gatherEngines([engine({ id: "pocketsphinx", languages: ["en"] })]).forLanguage("auto")?.language).toBe("en");
    expect(gatherEngines([engine({ id: "sherpa", languages: ["fr-FR"] })]).forLanguage("auto")?.language).toBe("fr-FR");
    expect(gatherEngines([]).forLanguage("auto")).toBeUndefined();
  });

  it("the page gets all of it, with reasons", () => {
    const engines = gatherEngines([
      engine({ id: "sherpa", languages: ["fr-FR"], unavailable: "The model is broken.", fault: "broken" }),
      engine({ id: "pocketsphinx", languages: ["en"], unavailable: "Install it.", fault: "missing" }),
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
      { id: "pocketsphinx", name: "pocketsphinx", offline: true, available: false, detail: "Install it." },
    ]);
  });
});

describe("on this machine", () => {
  it("English is heard offline, and auto means English", async () => {
    const dataDir = await mkdtemp(join(tmpdir(), "parlance-engines-"));
    const engines = await openEngines({ dataDir, parallel: 1 });
    expect(engines.all.map(({ id }) => id)).toEqual(["sherpa", "pocketsphinx"]);
    expect(engines.options().slice(0, 3)).toEqual([
      { code: "auto", available: true, engine: "pocketsphinx", resolvesTo: "en", live: true },
      { code: "en", available: true, engine: "pocketsphinx", live: true },
      { code: "es-ES", available: false, live: false, reason: "noEngine" },
    ]);
    await engines.close();
    await rm(dataDir, { recursive: true });
  });

  it("a configured server comes first", async () => {
    const engines = await openEngines({ dataDir: "/nowhere", apiUrl: "http://127.0.0.1:1/v1", parallel: 1 });
    expect(engines.all.map(({ id }) => id)).toEqual(["openai", "sherpa", "pocketsphinx"]);
    expect(engines.options().every(({ available, engine: id }) => available && id === "openai")).toBe(true);
    await engines.close();
  });
});
