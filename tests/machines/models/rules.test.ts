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

describe("an installation", () => {
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

  it("is under way until it is installed, paused, cancelled or has failed", () => {
    expect(states.filter((state) => isWorking(at(state)))).toEqual(states.slice(0, 5));
    expect(isWorking(model({ installed }))).toBe(false);
  });

  it("is worth a word when it begins, rests or ends, and when it was removed", () => {
    const news = (before: Parameters<typeof model>[0], after: Parameters<typeof model>[0]) =>
      newsBetween(answerWith(model({ id: "other" }), model(before)), answerWith(model(after))).map(({ state }) => state);
    const told = states.filter((state) => news({}, { installation: installation({ state }) }).length > 0);
    expect(told).toEqual(["downloading", "paused", "failed", "cancelled", "installed"]);
    expect([news({ installed }, {}), news({ installed }, { installed }), news({}, {})]).toEqual([["removed"], [], []]);
    expect(news({ installation: installation() }, {})).toEqual([]);
    expect(newsBetween(null, answerWith(model({ installed })))).toEqual([]);
    expect(newsBetween(answerWith(), answerWith(model({ installed })))).toEqual([{ id: "whisper-small", state: "installed" }]);
  });

  it("that is newer is of its own model alone", () => {
    const newer = installation({ bytesDone: 50 });
    const { models } = withInstallation(answerWith(model(), model({ id: "b" })), "b", newer);
    expect(models.map((one) => one.installation)).toEqual([null, newer]);
  });
});

describe("the catalogue's list", () => {
  const models = [model(), model({ id: "fr", name: "Zipformer", languages: ["fr"] }), pair("de", "en"), pair("en", "de")];
  const listed = (filter: Partial<typeof initialFilter>) =>
    filtered(models, { ...initialFilter, ...filter }, ({ id, name }) => `${id} ${name}`).map(({ id }) => id);

  it("is of one purpose, and of what is searched for", () => {
    expect(listed({})).toEqual(["whisper-small", "fr"]);
    expect(listed({ search: " ZIP form " })).toEqual(["fr"]);
    expect(listed({ search: "ZÍP" })).toEqual(["fr"]);
    expect(listed({ source: "de", target: "nl" })).toEqual(["whisper-small"]);
    expect([listed({ search: "whisper form" }), listed({ source: "fr" }), listed({ source: "it" })]).toEqual([[], ["fr"], []]);
  });

  it("of translation models has the wanted pair", () => {
    expect(listed({ purpose: "translation", source: "de" })).toEqual(["bergamot-de-en"]);
    expect(listed({ purpose: "translation", target: "de" })).toEqual(["bergamot-en-de"]);
    expect(listed({ purpose: "translation" })).toHaveLength(2);
  });
});
