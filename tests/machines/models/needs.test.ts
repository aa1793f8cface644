import { expect, it } from "vitest";
import type { AdminModel } from "#contract/index.ts";
import { type NeedId, needsOf, stillToInstall, translatable } from "#machines/models/needs.ts";
import { installation, installed, model, pair } from "./harness.ts";

/** A need in short: what serves which languages, and whether it is met. */
function need(id: NeedId, models: readonly AdminModel[], target = "de") {
  const found = needsOf(models, target).find((one) => one.id === id);
  return [found?.models.map((one) => one.id).join(), found?.languages.join(), found?.isMet];
}

const errors = (percent: number) => ({ percent, on: "the same test" });
const builtIn = model({
  id: "built-in",
  languages: ["en"],
  wordErrors: errors(12.7),
  installed: { at: null, source: "builtIn", isInUse: false, fault: null },
});
const parakeet = model({
  id: "parakeet",
  languages: ["da", "de", "en", "es", "fi", "fr", "it", "nl", "pt", "sv"],
  recommendedFor: ["da", "de", "es", "fi", "fr", "it", "nl", "pt", "sv"],
  wordErrors: errors(6.3),
});
const whisper = model({ id: "whisper", languages: ["de", "en", "ja", "no"], recommendedFor: ["ja", "no"] });
const english = model({ id: "english", languages: ["en"], recommendedFor: ["en"], wordErrors: errors(6) });
const all = [parakeet, whisper, english, builtIn];

it("recommends a model for better English unless an installed one has fewer errors than the built-in one", () => {
  expect(need("english", all)).toEqual(["english", "en", false]);
  expect(need("english", [english, builtIn, { ...parakeet, installed }])).toEqual(["parakeet", "en", true]);
  expect(need("english", [english, builtIn, { ...whisper, installed }])).toEqual(["english", "en", false]);
  expect(need("english", [{ ...whisper, recommendedFor: ["en"] }, builtIn])).toEqual(["", "", false]);
});

it("recommends for other languages the model that recognizes most of them, then one for the rest", () => {
  expect(need("otherLanguages", all)).toEqual(["parakeet", "es,fr,de,it,pt,nl,da,sv,fi", false]);
  const here = [{ ...parakeet, installed }, whisper, english, builtIn];
  expect(need("otherLanguages", here)).toEqual(["whisper", "no", false]);
  expect(need("otherLanguages", [{ ...parakeet, installed }, { ...whisper, installed }, builtIn])).toEqual([
    "parakeet,whisper",
    "es,fr,de,it,pt,nl,da,sv,no,fi",
    true,
  ]);
  expect(need("otherLanguages", [english, builtIn])).toEqual(["", "", false]);
});

it("keeps a model that is being installed as the choice, and ignores a broken one", () => {
  const underWay = { ...whisper, installation: installation() };
  expect(need("otherLanguages", [parakeet, underWay, builtIn])).toEqual(["whisper", "de,no", false]);
  const broken = { ...parakeet, installed: { at: null, source: "catalogue", isInUse: false, fault: "it is empty" } } as const;
  expect(need("otherLanguages", [broken, builtIn])).toEqual(["parakeet", "es,fr,de,it,pt,nl,da,sv,fi", false]);
});

it("needs two models for speaker identification, and takes the smaller ones", () => {
  const cutter = model({ id: "cutter", purpose: "speakers", kind: "speakerSegmentation", languages: [] });
  const knower = model({ id: "knower", purpose: "speakers", kind: "speakerEmbedding", languages: [] });
  const large = { ...knower, id: "large", diskBytes: 900 };
  expect(need("speakers", [cutter, large, knower])).toEqual(["cutter,knower", "", false]);
  expect(need("speakers", [{ ...cutter, installed }, { ...large, installed }, knower])).toEqual(["cutter,large", "", true]);
  expect(need("speakers", [])).toEqual(["", "", false]);
});

it("takes the better translation model of each direction, and none without a model into the language", () => {
  const models = [
    pair("de", "en", { id: "tiny", comet: { score: 80, google: null } }),
    pair("de", "en", { id: "base", comet: { score: 85, google: null } }),
    pair("en", "de"),
    pair("no", "en"),
  ];
  expect(need("translation", models)).toEqual(["bergamot-en-de,base", "de", false]);
  expect(need("translation", models, "no")).toEqual(["", "no", false]);
  expect(translatable(models)).toEqual(["de"]);
  const [found] = needsOf([{ ...pair("en", "de"), installed }, pair("de", "en")], "de").filter(({ id }) => id === "translation");
  expect(found === undefined ? [] : stillToInstall(found).map(({ id }) => id)).toEqual(["bergamot-de-en"]);
});

it("takes the natural voices for most of the recognized languages", () => {
  const voice = (id: string, languages: string[]) =>
    model({ id, purpose: "speaking", kind: "tts", languages, recommendedFor: languages });
  expect(need("voices", [voice("piper", ["en"]), voice("kokoro", ["es", "fr", "zh"])])).toEqual(["kokoro", "es,fr", false]);
});

it("offers better English only with fewer errors than the built-in model", () => {
  const hears = (percent: number) => need("english", [{ ...english, wordErrors: errors(percent) }, builtIn]);
  expect([hears(12.6), hears(12.7), hears(20)]).toEqual([
    ["english", "en", false],
    ["", "", false],
    ["", "", false],
  ]);
  const speaks = { ...english, purpose: "speaking" } as const;
  expect(need("english", [speaks, builtIn])).toEqual(["", "", false]);
  expect(need("voices", [english])).toEqual(["", "", false]);
});

it("prefers the model that is being installed among equal ones, with all its languages", () => {
  const other = { ...parakeet, id: "other" };
  const underWay = { ...other, recommendedFor: [], installation: installation() };
  expect(need("otherLanguages", [parakeet, underWay, builtIn])[0]).toBe("other");
  expect(need("otherLanguages", [parakeet, other, builtIn])[0]).toBe("parakeet");
  const direction = (parts: Parameters<typeof pair>[2]) => [
    pair("en", "de", { id: "first" }),
    pair("en", "de", { id: "second", ...parts }),
    pair("de", "en"),
  ];
  const chosen = (parts: Parameters<typeof pair>[2]) => need("translation", direction(parts))[0];
  expect(chosen({})).toBe("first,bergamot-de-en");
  expect(chosen({ installation: installation() })).toBe("second,bergamot-de-en");
  expect(chosen({ diskBytes: 199 })).toBe("second,bergamot-de-en");
  expect(chosen({ lacks: ["memory"], comet: { score: 90, google: null } })).toBe("first,bergamot-de-en");
});
