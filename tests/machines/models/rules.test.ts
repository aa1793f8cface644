import { describe, expect, it } from "vitest";
import {
  filtered,
  initialFilter,
  isOurs,
  isToInstall,
  isWorking,
  newsBetween,
  withInstallation,
} from "#machines/models/rules.ts";
import { answerWith, installation, installed, model, pair } from "./harness.ts";

describe("state of a model in the list", () => {
  it.each([
    ["that is only in the catalogue", model(), true, false],
    ["that is here", model({ installed }), false, true],
    ["that was cancelled", model({ installation: installation({ state: "cancelled" }) }), true, false],
    ["that is on its way", model({ installation: installation() }), false, true],
    ["that could not be installed", model({ installation: installation({ state: "failed" }) }), false, true],
    ["that was removed again", model({ installation: installation({ state: "installed" }) }), true, false],
  ])("classifies a model in the state: %s", (_, one, toInstall, ours) => {
    expect([isToInstall(one), isOurs(one)]).toEqual([toInstall, ours]);
  });
});

describe("installation of a model", () => {
  const states = [
    "waiting",
    "downloading",
    "verifying",
    "unpacking",
    "trying",
    "paused",
    "failed",
    "cancelled",
    "installed",
  ] as const;
  const at = (state: (typeof states)[number]) => model({ installation: installation({ state }) });

  it("the installation of a model is working until it is installed, paused, canceled or failed", () => {
    expect(states.filter((state) => isWorking(at(state)))).toEqual(states.slice(0, 5));
    expect(isWorking(model({ installed }))).toBe(false);
  });

  it("announces the begin, rest and end of an installation, and a removal", () => {
    const news = (before: Parameters<typeof model>[0], after: Parameters<typeof model>[0]) =>
      newsBetween(answerWith(model({ id: "other" }), model(before)), answerWith(model(after))).map(({ state }) => state);
    const told = states.filter((state) => news({}, { installation: installation({ state }) }).length > 0);
    expect(told).toEqual(["downloading", "paused", "failed", "cancelled", "installed"]);
    expect([news({ installed }, {}), news({ installed }, { installed }), news({}, {})]).toEqual([["removed"], [], []]);
    expect(news({ installation: installation() }, {})).toEqual([]);
    expect(newsBetween(null, answerWith(model({ installed })))).toEqual([]);
    expect(newsBetween(answerWith(), answerWith(model({ installed })))).toEqual([{ id: "whisper-small", state: "installed" }]);
  });

  it("updates only its own model with a newer installation", () => {
    const newer = installation({ bytesDone: 50 });
    const { models } = withInstallation(answerWith(model(), model({ id: "b" })), "b", newer);
    expect(models.map((one) => one.installation)).toEqual([null, newer]);
  });
});

describe("catalog's list of models", () => {
  const models = [model(), model({ id: "fr", name: "Zipformer", languages: ["fr"] }), pair("de", "en"), pair("en", "de")];
  const listed = (filter: Partial<typeof initialFilter>) =>
    filtered(models, { ...initialFilter, ...filter }, ({ id, name }) => `${id} ${name}`).map(({ id }) => id);

  it("filters the catalog by purpose and search", () => {
    expect(listed({})).toEqual(["whisper-small", "fr"]);
    expect(listed({ search: " ZIP form " })).toEqual(["fr"]);
    expect(listed({ search: "ZÍP" })).toEqual(["fr"]);
    expect(listed({ source: "de", target: "nl" })).toEqual(["whisper-small"]);
    expect([listed({ search: "whisper form" }), listed({ source: "fr" }), listed({ source: "it" })]).toEqual([[], ["fr"], []]);
  });

  it("filters translation models by their languages", () => {
    expect(listed({ purpose: "translation", source: "de" })).toEqual(["bergamot-de-en"]);
    expect(listed({ purpose: "translation", target: "de" })).toEqual(["bergamot-en-de"]);
    expect(listed({ purpose: "translation" })).toHaveLength(2);
  });
});
