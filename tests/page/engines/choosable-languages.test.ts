import { afterEach, describe, expect, test, vi } from "vitest";
import type { EnginesAnswer } from "#contract/index.ts";
import { offeredLanguages, targetsFor } from "#src/features/engines/choosable-languages.ts";
import { chosenLanguages, rememberLanguages } from "#src/features/engines/chosen-languages.ts";

/** German is heard by an engine that translates into English and Spanish itself; text is translated into Spanish. French is not heard. */
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

test("what the engine translates by ear is offered for files alone", () => {
  expect(targetsFor(engines, "de-DE")).toEqual(["es"]);
  expect(targetsFor(engines, "de-DE", true)).toEqual(["en", "es"]);
  expect(targetsFor(engines, "fr-FR", true)).toEqual([]);
});

describe("the choice that was remembered", () => {
  test("by ear counts for files alone", () => {
    rememberLanguages({ sourceLanguage: "de-DE", targetLanguage: "en" });
    expect(chosenLanguages(engines, { files: true }).targetLanguage).toBe("en");
    expect(chosenLanguages(engines).targetLanguage).toBeNull();
    rememberLanguages({ sourceLanguage: "de-DE", targetLanguage: "es" });
    expect(chosenLanguages(engines).targetLanguage).toBe("es");
  });

  test("of a language that the browser hears counts for dictation alone, and not once the server hears it", () => {
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

describe("where no engine detects languages", () => {
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

  test("detection is not offered, and the first language that is recognized is the preset", () => {
    expect(offeredLanguages(english).map(({ code }) => code)).toEqual(["en", "fr-FR"]);
    expect(chosenLanguages(english)).toEqual({ sourceLanguage: "en", targetLanguage: null });
  });

  test("a remembered choice of detection becomes the language that it stands for", () => {
    rememberLanguages({ sourceLanguage: "auto", targetLanguage: "es" });
    expect(chosenLanguages(english)).toEqual({ sourceLanguage: "en", targetLanguage: "es" });
  });

  test("detection is offered once an engine detects languages", () => {
    const languages = english.speech.languages.map(({ resolvesTo: _, ...option }) => option);
    const detecting = { ...english, speech: { engines: [], languages } };
    expect(offeredLanguages(detecting).map(({ code }) => code)).toEqual(["auto", "en", "fr-FR"]);
    expect(chosenLanguages(detecting).sourceLanguage).toBe("auto");
  });
});
