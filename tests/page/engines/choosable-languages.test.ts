import { afterEach, describe, expect, test, vi } from "vitest";
import type { EnginesAnswer } from "#contract/index.ts";
import { offeredLanguages, targetsFor } from "#src/features/engines/choosable-languages.ts";
import { chosenLanguages, rememberLanguages } from "#src/features/engines/chosen-languages.ts";

/**
 * An engine recognizes German and translates it into English and Spanish itself; text can be translated into Spanish.
 * No engine recognizes French.
 */
const engines: EnginesAnswer = {
  speech: {
    engines: [],
    languages: [
      { code: "de-DE", available: true, live: true, translatesTo: ["en", "es"] },
      { code: "fr-FR", available: false, live: false, reason: "noEngine" },
    ],
  },
  translation: { engines: [], pairs: [{ source: "de", target: "es", engine: "apertium" }] },
  limits: { maxUploadBytes: 1 },
};

const kept = vi.hoisted(() => {
  const values = new Map<string, string>();
  return {
    values,
    read: (key: string) => values.get(key) ?? null,
    write: (key: string, value: string) => values.set(key, value),
  };
});
vi.mock("#src/browser/storage.ts", () => ({ storage: kept }));
afterEach(() => kept.values.clear());

test("offers for files only the translations that the speech engine makes", () => {
  expect(targetsFor(engines, "de-DE")).toEqual(["es"]);
  expect(targetsFor(engines, "de-DE", true)).toEqual(["en", "es"]);
  expect(targetsFor(engines, "fr-FR", true)).toEqual([]);
});

describe("remembered choice of languages", () => {
  test("counts for files only if the speech engine translates", () => {
    rememberLanguages({ sourceLanguage: "de-DE", targetLanguage: "en" });
    expect(chosenLanguages(engines, { files: true }).targetLanguage).toBe("en");
    expect(chosenLanguages(engines).targetLanguage).toBeNull();
    rememberLanguages({ sourceLanguage: "de-DE", targetLanguage: "es" });
    expect(chosenLanguages(engines).targetLanguage).toBe("es");
  });

  test("counts for dictation only while the browser recognizes the language and the server does not", () => {
    rememberLanguages({ sourceLanguage: "fr-FR", targetLanguage: null, heardBy: "browser" });
    expect(chosenLanguages(engines, { browser: true })).toEqual({
      sourceLanguage: "fr-FR",
      targetLanguage: null,
      heardBy: "browser",
    });
    expect(chosenLanguages(engines)).toEqual({ sourceLanguage: "de-DE", targetLanguage: null });
    rememberLanguages({ sourceLanguage: "de-DE", targetLanguage: null, heardBy: "browser" });
    expect(chosenLanguages(engines, { browser: true })).toEqual({ sourceLanguage: "de-DE", targetLanguage: null });
  });
});

describe("server without language detection", () => {
  const english: EnginesAnswer = {
    ...engines,
    speech: {
      engines: [],
      languages: [
        { code: "auto", available: true, live: true, resolvesTo: "en" },
        { code: "en", available: true, live: true },
        { code: "fr-FR", available: false, live: false, reason: "noEngine" },
      ],
    },
  };

  test("offers no detection, and preselects the first recognized language", () => {
    expect(offeredLanguages(english).map(({ code }) => code)).toEqual(["en", "fr-FR"]);
    expect(chosenLanguages(english)).toEqual({ sourceLanguage: "en", targetLanguage: null });
  });

  test("replaces a stored choice of detection if no engine detects languages", () => {
    rememberLanguages({ sourceLanguage: "auto", targetLanguage: "es" });
    expect(chosenLanguages(english)).toEqual({ sourceLanguage: "en", targetLanguage: "es" });
  });

  test("offers language detection if an engine detects languages", () => {
    const languages = english.speech.languages.map(({ resolvesTo: _, ...option }) => option);
    const detecting = { ...english, speech: { engines: [], languages } };
    expect(offeredLanguages(detecting).map(({ code }) => code)).toEqual(["auto", "en", "fr-FR"]);
    expect(chosenLanguages(detecting).sourceLanguage).toBe("auto");
  });
});
