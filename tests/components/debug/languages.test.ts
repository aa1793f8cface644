import { expect, onTestFinished, test } from "vitest";
import { builtInLanguages } from "#contract/built-in-languages.ts";
import { interfaceLanguages } from "#contract/interface-languages.ts";
import { whisperLanguages } from "#server/models/languages.ts";
import { languageName } from "#src/i18n/format.ts";
import { i18n } from "#src/i18n/index.ts";
import { answer, lost, openPage, page, refusal } from "#tests/components/harness.ts";

const all = builtInLanguages.length;
const calls = page.getByTestId("call");
const states = () => calls.elements().map((call) => call.getAttribute("data-state"));
const rowOf = (path: string) => calls.filter({ has: page.getByText(`GET ${path}`, { exact: true }) });
const verdict = (text: string) => expect.element(page.getByRole("status").filter({ hasText: text })).toBeVisible();

// SPEC 2 Public routes: "a tester that runs the health and language endpoint calls and shows the results"
test("shows each failed language call, uses the first one that works, and runs again on request", async () => {
  const held = Promise.withResolvers<void>();
  answer({
    "GET /": { name: "Parlance", status: "ok" },
    "GET /languages/codes": Response.json({ message: "Come back later." }, { status: 503 }),
    "GET /languages/supported": new Response("<h1>Welcome</h1>"),
    "GET /languages/grouped": { languages: [] },
    "GET /languages": async () => {
      await held.promise;
      return { data: [{ code: "cy", name: "Welsh", nativeName: "Cymraeg" }, { code: "xx" }, null] };
    },
  });
  await openPage("/debug/languages", { as: "visitor" });
  await verdict("Asking GET /languages…");
  expect(states()).toEqual(["works", "fails", "fails", "fails", "asked"]);
  held.resolve();
  await verdict("The product uses GET /languages: 1 language.");
  await expect.element(rowOf("/languages")).toMatchTextContent("1 language accepted (a list under “data”)");
  await expect.element(rowOf("/languages")).toMatchTextContent("2 entries ignored");
  await expect.element(rowOf("/languages/codes")).toMatchTextContent("Status 503");
  await rowOf("/languages/codes").getByText("Raw answer").click();
  await expect.element(page.getByText('{"message":"Come back later."}')).toBeVisible();
  for (const path of ["/languages/supported", "/languages/grouped"])
    await expect.element(rowOf(path)).toMatchTextContent("No languages in the answer");
  answer({ "GET /languages/codes": builtInLanguages });
  await page.getByRole("button", { name: "Run again" }).click();
  await verdict(`The product uses GET /languages/codes: ${all} languages.`);
});

// SPEC 2 Public routes: "a tester that runs the health and language endpoint calls and shows the results"
test("shows that the page uses the built-in list when no language call works", async () => {
  answer({
    "GET /": lost(),
    "GET /languages/codes": lost(),
    "GET /languages/supported": lost(),
    "GET /languages/grouped": lost(),
    "GET /languages": refusal(404, "notFound"),
  });
  await openPage("/debug/languages", { as: "visitor" });
  await verdict(`the product uses its ${all} built-in languages`);
  expect(states()).toEqual(["fails", "fails", "fails", "fails", "fails"]);
  await expect.element(rowOf("/")).toMatchTextContent("No answer");
  await expect.element(rowOf("/")).toMatchTextContent("Cannot connect to server.");
  expect(page.getByRole("region").getByRole("listitem").elements().length).toBe(all);
});

test("presets English when the server recognizes only English, and tells superusers which languages need a model", async () => {
  // Stored when the server still detected languages.
  localStorage.setItem("speechLanguages", '{"sourceLanguage":"auto","targetLanguage":"de"}');
  await openPage("/file-upload-config");
  const spoken = page.getByRole("combobox", { name: "Spoken language" });
  await expect.element(spoken).toHaveValue("en");
  const options = [...spoken.element().querySelectorAll("option")].filter(({ disabled }) => !disabled);
  expect(options.map(({ textContent }) => textContent)).toEqual(["English"]);
  await expect.element(page.getByRole("combobox", { name: "Translate to" })).toHaveValue("de");
  await expect.element(page.getByText(/not available\?$/)).not.toBeInTheDocument();
  await expect.element(spoken).not.toMatchTextContent("needs a model");
  await openPage("/file-upload-config", { as: "superuser" });
  await expect.element(spoken).toMatchTextContent("German (Germany) – needs a model");
  await page.getByText(/^Why .* not available\?$/).click();
  await expect.element(page.getByText("Other languages need a model on this server.")).toBeVisible();
});

test("has a name for every language of Whisper in each interface language", async () => {
  await openPage("/terms", { as: "visitor" });
  onTestFinished(() => void i18n.changeLanguage("en"));
  for (const { code } of interfaceLanguages) {
    await i18n.changeLanguage(code);
    const unnamed = whisperLanguages.filter((heard) => languageName(heard, code) === heard);
    expect(unnamed, code).toEqual([]);
  }
  expect(languageName("bo", "de")).toBe("Tibetisch");
});
