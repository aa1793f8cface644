import { describe, expect, test } from "vitest";
import { builtInLanguages } from "#contract/built-in-languages.ts";
import type { EnginesAnswer, SpeechLanguage } from "#contract/index.ts";
import {
  canDetect,
  readingLanguage,
  sideLanguages,
  speechCode,
  translationTarget,
  turnLanguage,
} from "#src/features/translator/side-languages.ts";

type Pair = readonly [string, string];

function engines(heard: readonly SpeechLanguage[], pairs: readonly Pair[], resolvesTo?: SpeechLanguage): EnginesAnswer {
  const options: readonly SpeechLanguage[] = ["auto", "en", "es-ES", "pt-br", "no-NO", "fr-FR"];
  return {
    speech: {
      engines: [],
      languages: options.map((code) => ({
        code,
        available: heard.includes(code),
        live: true,
        ...(code === "auto" && resolvesTo !== undefined && { resolvesTo }),
      })),
    },
    translation: { engines: [], pairs: pairs.map(([source, target]) => ({ source, target, engine: "e" })) },
    limits: { maxUploadBytes: 1 },
  };
}

const here = engines(
  ["auto", "en"],
  [
    ["en", "es"],
    ["es", "en"],
  ],
  "en",
);

describe("languages of one side", () => {
  test("languages of one side include all of the product's, those that work here first", () => {
    const listed = sideLanguages(here, builtInLanguages);
    expect(listed).toHaveLength(builtInLanguages.length);
    expect(listed.slice(0, 3).map(({ code, ability }) => [code, ability])).toEqual([
      ["en", "spoken"],
      ["es", "typed"],
      [expect.any(String), "none"],
    ]);
    expect(listed.slice(2).every(({ ability }) => ability === "none")).toBe(true);
  });

  test("languages of one side include one that is transcribed but not translated", () => {
    const [first] = sideLanguages(engines(["fr-FR"], []), builtInLanguages);
    expect([first?.code, first?.ability]).toEqual(["fr", "heard"]);
  });

  test("languages of one side match the recognizer's own names", () => {
    const all = engines(["en", "es-ES", "pt-br", "no-NO"], []);
    expect(["en", "es", "pt", "no", "nb", "fr", "zu"].map((code) => speechCode(all, code))).toEqual([
      "en",
      "es-ES",
      "pt-br",
      "no-NO",
      "no-NO",
      null,
      null,
    ]);
    expect(["es", "zu", "auto"].map((code) => turnLanguage(all, code))).toEqual(["es-ES", "zu", "auto"]);
  });

  test("the languages of one side may be detected only if an engine can tell languages apart", () => {
    expect(canDetect(here)).toBe(false);
    expect(canDetect(engines(["auto", "en"], []))).toBe(true);
    expect(canDetect(engines(["en"], []))).toBe(false);
  });
});

describe("translation between the sides", () => {
  test.each([
    ["en", "es", "es"],
    ["es", "en", "en"],
    ["en", "fr", null],
    ["auto", "es", "es"],
  ])("a conversation's languages go from %s to %s: %s", (from, to, target) => {
    expect(translationTarget(here, from, to)).toBe(target);
  });

  test("a translation goes to the region's own form of a language if there is one", () => {
    const regional = engines(
      [],
      [
        ["en", "zh"],
        ["en", "zh-TW"],
      ],
    );
    expect(["zh", "zh-TW", "zh-HK"].map((to) => translationTarget(regional, "en", to))).toEqual(["zh", "zh-TW", "zh"]);
  });

  test("uses the page's language for a reader without one", () => {
    expect([readingLanguage("auto", "de"), readingLanguage("es", "de")]).toEqual(["de", "es"]);
  });
});
