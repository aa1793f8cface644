import i18next from "i18next";
import { renderToStaticMarkup } from "react-dom/server";
import { I18nextProvider } from "react-i18next";
import { beforeAll, expect, test, vi } from "vitest";
import { createActor } from "xstate";
import type { AdminModel } from "#contract/index.ts";
import { modelsMachine } from "#machines/models/machine.ts";
import { initialFilter } from "#machines/models/rules.ts";
import { NeedsGroup } from "#src/features/models/needs.tsx";
import { answerWith, installation, installed, model, pair } from "#tests/machines/models/harness.ts";
import texts from "../../../public/locales/en/models.json" with { type: "json" };

vi.mock(import("i18next"), async (original) => {
  const library = await original();
  return { ...library, default: library.default.createInstance() };
});

beforeAll(async () => {
  vi.stubGlobal("location", new URL("https://page.test/admin/models"));
  await i18next.init({ lng: "en", resources: { en: { models: texts } }, interpolation: { escapeValue: false } });
});

const builtIn = model({
  id: "built-in",
  name: "Moonshine tiny",
  languages: ["en"],
  wordErrors: { percent: 12.7, on: "a test" },
  installed: { at: null, source: "builtIn", isInUse: false, fault: null },
});
const english = model({
  id: "english",
  name: "Parakeet",
  languages: ["en"],
  recommendedFor: ["en"],
  wordErrors: { percent: 6, on: "a test" },
});
const others = model({ id: "others", name: "Whisper", languages: ["de", "fr"], recommendedFor: ["de", "fr"] });

/** The text of each need by its anchor, with buttons in brackets. */
function shown(...models: AdminModel[]): Record<string, string> {
  const actor = createActor(modelsMachine, { input: { translatesInto: "de", filter: initialFilter } });
  const html = renderToStaticMarkup(
    <I18nextProvider i18n={i18next}>
      <NeedsGroup models={actor} answer={answerWith(...models)} />
    </I18nextProvider>,
  );
  const sections = [...html.matchAll(/<section class="[^"]*" aria-labelledby="([a-z-]+)"(?:(?!<section).)*?<\/section>/gs)];
  return Object.fromEntries(
    sections.map(([section, id]) => [
      id,
      section
        .replaceAll(/<button[^>]*>(.*?)<\/button>/gs, "[$1] ")
        .replaceAll(/<[^>]+>/g, " ")
        .replaceAll(/\s+/g, " ")
        .trim(),
    ]),
  );
}

test("shows for each need its model and one button, and no button without a model", () => {
  const needs = shown(builtIn, english, others, pair("en", "de"), pair("de", "en"));
  expect(Object.keys(needs)).toEqual(["english", "other-languages", "speakers", "translation", "voices"]);
  expect(needs.english).toBe(
    "Better English Parakeet gets 6% of the words wrong in a published test, the built-in model 12.7%. " +
      "Parakeet 100 byte download MIT [ Install]",
  );
  expect(needs["other-languages"]).toMatch(/^Other languages Whisper recognizes French and German\. .*\[ Install\]$/);
  expect(needs.translation).toMatch(/^Translation into German Two models .*English → German.*German → English.*\[ Install\]$/);
  expect(needs.translation?.match(/\[/g)).toHaveLength(1);
  expect(needs.voices).toBe("Natural voices No model for this need fits this machine.");
});

test("shows that a need is met, or its progress instead of the button", () => {
  const needs = shown(builtIn, { ...english, installed }, { ...others, installation: installation() });
  expect(needs.english).toBe("Better English Parakeet recognizes English. Installed");
  expect(needs["other-languages"]).toMatch(/Downloading.*40 byte of 100 byte.*\[ ?Pause ?\] \[ ?Cancel ?\]/);
  expect(needs["other-languages"]).not.toContain("Install ");
});
