import { expect, test } from "vitest";
import { followTheme } from "#src/features/shell/theme.ts";
import { ada, answer, openPage, page, refusal } from "#tests/components/harness.ts";

const language = page.getByLabelText("Language of the pages");
const said = (text: string) => expect.element(page.getByRole("status").getByText(text, { exact: true })).toBeVisible();
const defaults = page.getByRole("region", { name: "Speech and translation", exact: true });
const theme = () => document.documentElement.dataset.theme;

/** What the browser keeps of the languages. */
const kept = (): unknown => JSON.parse(localStorage.getItem("speechLanguages") ?? "null");

test("changes the language of the page, and that of mails", async () => {
  const sent: unknown[] = [];
  answer({
    "PATCH /users/me": async ({ request }) => {
      sent.push(await request.json());
      return ada;
    },
  });
  await openPage("/settings/preferences");
  await expect.element(language).toHaveValue("en");
  await language.selectOptions("de");
  await said("Die Sprache ist gespeichert. Ab jetzt kommen auch E-Mails in dieser Sprache.");
  await expect.element(page.getByRole("heading", { name: "Präferenzen", level: 1 })).toBeVisible();
  await expect.poll(() => document.documentElement.lang).toBe("de");
  await page.getByLabelText("Sprache der Seiten").selectOptions("en");
  await said("The language is saved. Mails come in it from now on.");
  expect(sent).toEqual([{ language: "de" }, { language: "en" }]);
});

test("says that the language of mails is not saved, though the page has changed", async () => {
  answer({ "PATCH /users/me": refusal(500, "internal") });
  await openPage("/settings/preferences");
  await language.selectOptions("fr");
  await expect.element(page.getByRole("alert").filter({ hasText: "serveur" })).toBeVisible();
  answer({ "PATCH /users/me": ada });
  await page.getByRole("main").getByRole("combobox").first().selectOptions("en");
  await said("The language is saved. Mails come in it from now on.");
});

test("shows the theme at once, and keeps it in this browser", async () => {
  // As the page's first script does.
  followTheme();
  await openPage("/settings/preferences");
  const choice = (name: string) => page.getByRole("radio", { name, exact: true });
  await expect.element(choice("As on this device")).toBeChecked();
  for (const [name, kept] of [
    ["Dark", "dark"],
    ["Light", "light"],
  ] as const) {
    await page.getByText(name, { exact: true }).click();
    await expect.element(choice(name)).toBeChecked();
    expect([theme(), localStorage.getItem("theme")]).toEqual([kept, kept]);
    expect(getComputedStyle(document.documentElement).colorScheme).toBe(kept);
  }
  await page.getByText("As on this device", { exact: true }).click();
  await expect.element(choice("As on this device")).toBeChecked();
  expect([theme(), localStorage.getItem("theme")]).toEqual(["", null]);
});

test("keeps the languages with which dictations and uploads begin", async () => {
  await openPage("/settings/transcription");
  await defaults.getByRole("combobox").last().selectOptions("de");
  expect(kept()).toMatchObject({ targetLanguage: "de" });
  await defaults.getByRole("combobox").first().selectOptions("en");
  expect(kept()).toMatchObject({ sourceLanguage: "en", targetLanguage: "de" });
});

test("begins the next dictation with those languages", async () => {
  localStorage.setItem("speechLanguages", JSON.stringify({ sourceLanguage: "en", targetLanguage: "de" }));
  await openPage("/speech-to-text");
  const target = () => document.querySelector<HTMLSelectElement>("select[name=targetLanguage]")?.value;
  await expect.poll(target).toBe("de");
});
