import { describe, expect, it } from "vitest";
import { filtered, initialFilter, isOurs, isToInstall } from "#machines/engines/models/rules.ts";
import { installation, installed, model, pair } from "./rig.ts";

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
