import { test } from "vitest";
import { enter, enterAsSuperuser, expect, openPage, sharedParlance } from "#tests/browser/harness.ts";

// The server has the model that comes with the product, and nothing else.

const shared = sharedParlance();

test("English is the preset of a server that recognizes English alone, and other languages need a model", async () => {
  await using visit = await openPage(shared.browser);
  const { page } = visit;
  await enter(page, shared.server);
  // From a time when the server detected languages.
  await page.evaluate(() => localStorage.setItem("speechLanguages", '{"sourceLanguage":"auto","targetLanguage":"es"}'));
  await page.goto(shared.at("/file-upload-config"));
  const spoken = page.getByRole("combobox", { name: "Spoken language" });
  await expect(spoken.getByRole("option", { selected: true })).toHaveText("English");
  await expect(spoken.getByRole("option", { disabled: false })).toHaveText(["English"]);
  await expect(spoken).toContainText("German (Germany) – needs a model");
  await expect(page.getByRole("combobox", { name: "Translate to" })).toHaveValue("es");
  await page
    .getByText("For other languages this server needs a model. Whoever runs this server can install models for them")
    .waitFor();
});

test("a superuser gets from the choice of language to the models for other languages", async () => {
  await using visit = await openPage(shared.browser);
  const { page } = visit;
  await enterAsSuperuser(page, shared.server);
  await page.goto(shared.at("/file-upload-config"));
  await page
    .getByText("For other languages this server needs a model.")
    .getByRole("link", { name: "Install models for more languages" })
    .click();
  await page.waitForURL("**/admin/models#other-languages");
  await page.getByRole("heading", { name: "Models", level: 1 }).waitFor();
});
