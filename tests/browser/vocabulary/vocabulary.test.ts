import type { Page } from "playwright";
import { test } from "vitest";
import { expect, openPage, openSignedIn, sharedParlance } from "#tests/browser/harness.ts";

const shared = sharedParlance({ acrossFiles: true });
const field = (page: Page) => page.getByRole("textbox", { name: "Your words" });
const allSaved = (page: Page) => page.getByText("Saved.").waitFor();

async function open() {
  const visit = await openPage(shared.browser);
  await openSignedIn(visit.page, shared.server, "/settings/transcription");
  await field(visit.page).waitFor();
  return visit;
}

test("saves and counts typed words automatically, and shows them after a reload", { tags: "quick" }, async () => {
  await using visit = await open();
  const { page } = visit;
  await field(page).fill("Ada Lovelace\ncooper netties → Kubernetes\nnothing →");
  await page.getByText("Words: 2. Replacements: 1. Lines without effect").waitFor();
  await allSaved(page);
  await page.reload();
  await expect(field(page)).toHaveValue("Ada Lovelace\ncooper netties → Kubernetes\nnothing →");
});
