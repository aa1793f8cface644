import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { test } from "vitest";
import { expect, openPage, openSignedIn, sharedParlance } from "#tests/browser/harness.ts";

const shared = sharedParlance({ acrossFiles: true });
const field = (page: Page) => page.getByRole("textbox", { name: "Your words" });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const allSaved = (page: Page) => page.getByText("All saved.").waitFor();

async function open() {
  const visit = await openPage(shared.browser);
  await openSignedIn(visit.page, shared.server, "/settings");
  await field(visit.page).waitFor();
  return visit;
}

test("words are typed, saved by themselves, counted, and there after a reload", { tags: "quick" }, async () => {
  await using visit = await open();
  const { page } = visit;
  await field(page).fill("Ada Lovelace\ncooper netties → Kubernetes\nnothing →");
  await page.getByText("Words to expect: 2. Written differently: 1. Lines without effect").waitFor();
  await allSaved(page);
  await page.reload();
  await expect(field(page)).toHaveValue("Ada Lovelace\ncooper netties → Kubernetes\nnothing →");
});

test("what was typed last is saved when the page is left at once", async () => {
  await using visit = await open();
  const { page } = visit;
  await field(page).fill("Grace");
  await page.getByRole("link", { name: "Feedback" }).first().click();
  await page.waitForURL(/feedback/);
  await page.goBack();
  await expect(field(page)).toHaveValue("Grace");
});

test("10,000 lines are not saved, the page says what to do, and a shorter list is", async () => {
  await using visit = await open();
  const { page } = visit;
  const lines = Array.from({ length: 10_000 }, (_, at) => `Name ${at}`);
  const choose = (count: number) =>
    page
      .locator("input[type=file][accept*=csv]")
      .setInputFiles({ name: "words.txt", mimeType: "text/plain", buffer: Buffer.from(lines.slice(0, count).join("\n")) });
  await choose(10_000);
  const problem = page.getByRole("alert").getByText("These are 10,000 lines, and at most 2,000 can be kept.");
  await problem.waitFor();
  // Typing so much at once would take Chromium's editing many seconds.
  await field(page).fill("");
  await choose(2_000);
  await expect(problem).toHaveCount(0);
  await allSaved(page);
  await page.reload();
  await expect(field(page)).toHaveValue(lines.slice(0, 2_000).join("\n"));
});

test("lines come from a CSV file, and go into a text and a CSV file", async () => {
  await using visit = await open();
  const { page } = visit;
  await field(page).fill("Ada");
  const chooser = page.locator("input[type=file][accept*=csv]");
  const csv = Buffer.from("cooper netties,Kubernetes\r\nAda\r\n");
  await chooser.setInputFiles({ name: "words.csv", mimeType: "text/csv", buffer: csv });
  await page.getByText("New lines: 1.").waitFor();
  await expect(field(page)).toHaveValue("Ada\ncooper netties → Kubernetes");
  await allSaved(page);
  const [text] = await Promise.all([page.waitForEvent("download"), button(page, "Export as text").click()]);
  expect(await readFile(await text.path(), "utf8")).toBe("Ada\ncooper netties → Kubernetes");
  const [table] = await Promise.all([page.waitForEvent("download"), button(page, "Export as CSV").click()]);
  expect(await readFile(await table.path(), "utf8")).toBe("\ufeffAda\r\ncooper netties,Kubernetes\r\n");
  await chooser.setInputFiles({ name: "words.zip", mimeType: "text/plain", buffer: Buffer.from([80, 75, 0, 255]) });
  await page.getByText("This file is not text.").waitFor();
});
