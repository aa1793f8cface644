import { expect, test } from "vitest";
import { followTheme } from "#src/features/shell/theme.ts";
import { ada, answer, openPage, page, refusal } from "#tests/components/harness.ts";

const language = page.getByLabelText("Display language");
const said = (text: string) => expect.element(page.getByRole("status").getByText(text, { exact: true })).toBeVisible();
const defaults = page.getByRole("region", { name: "Speech and translation", exact: true });
const theme = () => document.documentElement.dataset.theme;

/** The languages that the browser has stored. */
const kept = (): unknown => JSON.parse(localStorage.getItem("speechLanguages") ?? "null");

test("changes the language of the page and of mails", async () => {
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
  await said("Sprache gespeichert. Sie gilt auch für E-Mails.");
  await expect.element(page.getByRole("heading", { name: "Präferenzen", level: 1 })).toBeVisible();
  await expect.poll(() => document.documentElement.lang).toBe("de");
  await page.getByLabelText("Anzeigesprache").selectOptions("en");
  await said("Language saved. E-mails will use it too.");
  expect(sent).toEqual([{ language: "de" }, { language: "en" }]);
});

test("changes the page's language even when the language of mails can't be saved", async () => {
  answer({ "PATCH /users/me": refusal(500, "internal") });
  await openPage("/settings/preferences");
  await language.selectOptions("fr");
  await expect.element(page.getByRole("alert").filter({ hasText: "serveur" })).toBeVisible();
  answer({ "PATCH /users/me": ada });
  await page.getByRole("main").getByRole("combobox").first().selectOptions("en");
  await said("Language saved. E-mails will use it too.");
});

test("applies the chosen theme at once, and stores it in the browser", async () => {
  // The page's inline script does this at a page load.
  followTheme();
  await openPage("/settings/preferences");
  const choice = (name: string) => page.getByRole("radio", { name, exact: true });
  await expect.element(choice("Same as device")).toBeChecked();
  for (const [name, kept] of [
    ["Dark", "dark"],
    ["Light", "light"],
  ] as const) {
    await page.getByText(name, { exact: true }).click();
    await expect.element(choice(name)).toBeChecked();
    expect([theme(), localStorage.getItem("theme")]).toEqual([kept, kept]);
    expect(getComputedStyle(document.documentElement).colorScheme).toBe(kept);
  }
  await page.getByText("Same as device", { exact: true }).click();
  await expect.element(choice("Same as device")).toBeChecked();
  expect([theme(), localStorage.getItem("theme")]).toEqual(["", null]);
});

test("stores the default languages of dictations and uploads", async () => {
  await openPage("/settings/transcription");
  await defaults.getByRole("combobox").last().selectOptions("de");
  expect(kept()).toMatchObject({ targetLanguage: "de" });
  await defaults.getByRole("combobox").first().selectOptions("en");
  expect(kept()).toMatchObject({ sourceLanguage: "en", targetLanguage: "de" });
});

test("presets the stored languages for the next dictation", async () => {
  localStorage.setItem("speechLanguages", JSON.stringify({ sourceLanguage: "en", targetLanguage: "de" }));
  await openPage("/speech-to-text");
  const target = () => document.querySelector<HTMLSelectElement>("select[name=targetLanguage]")?.value;
  await expect.poll(target).toBe("de");
});
