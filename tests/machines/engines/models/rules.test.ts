import { describe, expect, it } from "vitest";
import {
  filtered,
  initialFilter,
  isOurs,
  isToInstall,
  type Needs,
  stillToInstall,
  suggestionsFor,
} from "#machines/engines/models/rules.ts";
import { installation, installed, model, pair } from "./rig.ts";

const needs = (uses: Needs["uses"], ...languages: string[]): Needs => ({ uses, languages });
const found = (...given: Parameters<typeof suggestionsFor>) =>
  suggestionsFor(...given).found.map(({ languages, models }) => [languages.join(), ...models.map(({ id }) => id)]);

describe("what is suggested", () => {
  const small = model({ id: "small", recommendedFor: ["de", "fr"], languages: ["de", "en", "fr"] });
  const large = model({ id: "large", recommendedFor: ["en"], languages: ["de", "en"] });

  it("to hear is the recommended model, once for all of its languages", () => {
    expect(found([small, large], needs(["hearing"], "de", "en", "fr"))).toEqual([
      ["de,fr", "small"],
      ["en", "large"],
    ]);
  });

  it("for what nothing is recommended is nothing, and said", () => {
    expect(suggestionsFor([large], needs(["hearing"], "de")).missing).toEqual([{ use: "hearing", languages: ["de"] }]);
  });

  it("to translate is one model for each direction, the recommended or the better one", () => {
    const models = [
      pair("de", "en", { id: "tiny", comet: { score: 80, google: null } }),
      pair("de", "en", { id: "base", comet: { score: 85, google: null } }),
      pair("en", "de", { id: "into", recommendedFor: ["de"], comet: { score: 70, google: null } }),
      pair("en", "de", { id: "into-better", comet: { score: 90, google: null } }),
      pair("be", "en"),
    ];
    const asked = suggestionsFor(models, needs(["translating"], "de", "en", "be", "ga"));
    expect(asked.found.map((one) => [one.languages.join(), ...one.models.map(({ id }) => id)])).toEqual([
      ["de,en", "base", "into"],
      ["be,en", "bergamot-be-en"],
    ]);
    expect(asked.missing).toEqual([{ use: "translating", languages: ["ga"] }]);
  });

  it("to speak is the recommended voice, else the one that is here, else one that fits", () => {
    const voice = (id: string, parts = {}) => model({ id, purpose: "speaking", kind: "tts", languages: ["de"], ...parts });
    const big = voice("big", { lacks: ["memory"] });
    expect(found([big, voice("light")], needs(["speaking"], "de"))).toEqual([["de", "light"]]);
    expect(found([voice("light"), voice("here", { installed, lacks: ["disk"] })], needs(["speaking"], "de"))).toEqual([
      ["de", "here"],
    ]);
    expect(found([voice("light"), voice("best", { recommendedFor: ["de"] })], needs(["speaking"], "de"))).toEqual([
      ["de", "best"],
    ]);
  });

  it("to tell speakers apart is what finds them and what knows them, of any language", () => {
    const cutter = model({ id: "cutter", purpose: "speakers", kind: "speakerSegmentation", languages: [] });
    const knower = model({ id: "knower", purpose: "speakers", kind: "speakerEmbedding", languages: [] });
    expect(found([cutter, knower, { ...knower, id: "large", diskBytes: 900 }], needs(["speakers"]))).toEqual([
      ["", "cutter", "knower"],
    ]);
    expect(suggestionsFor([], needs(["speakers"]))).toEqual({ found: [], missing: [] });
  });

  it("and is not there yet is installed with one click", () => {
    const models = [
      model({ id: "a", recommendedFor: ["de"] }),
      model({ id: "b", recommendedFor: ["en"], installed }),
      model({ id: "c", recommendedFor: ["fr"], languages: ["fr"], installation: installation() }),
    ];
    const { found: suggested } = suggestionsFor(models, needs(["hearing"], "de", "en", "fr"));
    expect(stillToInstall(suggested).map(({ id }) => id)).toEqual(["a"]);
  });
});

describe("a model", () => {
  it.each([
    ["that is only in the catalogue", model(), true, false],
    ["that is here", model({ installed }), false, true],
    ["that was cancelled", model({ installation: installation({ state: "cancelled" }) }), true, false],
    ["that is on its way", model({ installation: installation() }), false, true],
    ["that could not be installed", model({ installation: installation({ state: "failed" }) }), false, true],
    ["that was removed again", model({ installation: installation({ state: "installed" }) }), true, false],
  ])("%s", (_, one, toInstall, ours) => {
    expect([isToInstall(one), isOurs(one)]).toEqual([toInstall, ours]);
  });
});

describe("the catalogue's list", () => {
  const models = [model(), model({ id: "fr", name: "Zipformer", languages: ["fr"] }), pair("de", "en"), pair("en", "de")];
  const listed = (filter: Partial<typeof initialFilter>) =>
    filtered(models, { ...initialFilter, ...filter }, ({ id, name }) => `${id} ${name}`).map(({ id }) => id);

  it("is of one purpose, and of what is searched for", () => {
    expect(listed({})).toEqual(["whisper-small", "fr"]);
    expect(listed({ search: " ZIP form " })).toEqual(["fr"]);
    expect(listed({ source: "de", target: "nl" })).toEqual(["whisper-small"]);
  });

  it("of translation models has the wanted pair", () => {
    expect(listed({ purpose: "translation", source: "de" })).toEqual(["bergamot-de-en"]);
    expect(listed({ purpose: "translation", target: "de" })).toEqual(["bergamot-en-de"]);
    expect(listed({ purpose: "translation" })).toHaveLength(2);
  });
});
