import { expect, test } from "vitest";
import { createLanguages, withLanguages } from "#server/page/languages.ts";
import { gatherEngines } from "#server/speech/engines.ts";
import { startTestServer } from "#tests/server/harness.ts";
import { scriptedEngines } from "#tests/server/jobs/scripted.ts";

const inside = scriptedEngines();
const outside = gatherEngines(inside.all().map((engine) => ({ ...engine, offline: false })));

test("lists the recognized languages and the targets that this server translates them into", async () => {
  const languages = createLanguages({
    config: { tryOutSlots: 1 },
    engines: {
      forLanguage: (language) => (language === "pt-br" ? outside : inside).forLanguage("en", "live"),
      options: () => [
        { code: "auto", available: true, live: true },
        { code: "en", available: true, live: true },
        { code: "pt-br", available: true, live: true },
        { code: "de-DE", available: false, live: false },
      ],
    },
    translation: {
      pairs: () => [
        { source: "en", target: "es", engine: "a" },
        { source: "pt", target: "es", engine: "b" },
        { source: "en", target: "fr", engine: "a" },
        { source: "de", target: "da", engine: "b" },
      ],
      staysHere: (_, target) => target === "es",
    },
  });
  expect(languages()).toEqual({ recognized: ["en", "pt"], into: ["es", "fr"], toTry: ["en:es"] });
  expect(withLanguages('<meta name="parlance-api" content="" />', languages())).toBe(
    '<meta name="parlance-hears" content="en pt" /><meta name="parlance-translates" content="es fr" /><meta name="parlance-tries" content="en:es" /><meta name="parlance-api" content="" />',
  );
});

test("the server writes the languages into the page", async () => {
  const { pageUrl } = await startTestServer();
  const page = await (await fetch(pageUrl)).text();
  expect(page).toMatch(/<meta name="parlance-hears" content="[a-z ]*" \/><meta name="parlance-translates" content="[a-z ]*" \/>/);
});
