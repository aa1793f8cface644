import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import type { Page } from "playwright";
import { test } from "vitest";
import { expect, screenshots, sharedPage, sharedParlance } from "#tests/browser/harness.ts";
import { violations } from "#tests/browser/harness-axe.ts";
import { putTranscript, spokenSegment } from "#tests/browser/harness-transcript.ts";

// The options of an exported file: chosen in a dialog and remembered for the next export.

const shared = sharedParlance({ acrossFiles: true });
const pages = sharedPage(shared);

const talk = [
  spokenSegment("Good morning and welcome to the harbour, which is older than the town.", 0, 8, {
    speaker: "1",
    translation: "Buenos días.",
  }),
  spokenSegment("The harbour is old.", 8, 11, { speaker: "2", translation: "El puerto es viejo." }),
];

const dialog = (page: Page) => page.getByRole("dialog", { name: "Save as a file" });
const menu = (page: Page) => page.getByText("Export", { exact: true });

async function openOptions(page: Page): Promise<void> {
  await menu(page).click();
  await page.getByRole("button", { name: "Options…" }).click();
  await dialog(page).waitFor();
}

async function saved(page: Page, ask: () => Promise<void>): Promise<Buffer> {
  const [download] = await Promise.all([page.waitForEvent("download"), ask()]);
  return readFile(await download.path());
}

test("exports a transcript as PDF and subtitles with the chosen options, and remembers the options", {
  tags: "quick",
}, async () => {
  const { page } = await pages.begin((_, whose) =>
    putTranscript(shared.server, whose, { segments: talk, targetLanguage: "es", title: "Harbour" }),
  );
  await openOptions(page);
  await dialog(page).getByRole("checkbox", { name: "Speaker names" }).press("Space");
  await dialog(page).getByRole("combobox", { name: "Language" }).selectOption("original");
  expect(await violations(page)).toEqual([]);
  const pdf = await saved(page, () => dialog(page).getByRole("button", { name: "Save" }).press("Enter"));
  const text = execFileSync("pdftotext", ["-layout", "-", "-"], { input: pdf, encoding: "utf8" });
  expect(text).toMatch(/0:08 +The harbour is old\./);
  expect(text).not.toMatch(/Speaker|puerto/);
  await expect(page.locator("summary", { hasText: "Export" })).toBeFocused();

  await page.reload();
  await openOptions(page);
  await expect(dialog(page).getByRole("checkbox", { name: "Speaker names" })).not.toBeChecked();
  await dialog(page).getByRole("combobox", { name: "Format" }).selectOption("srt");
  const columns = dialog(page).getByRole("textbox", { name: "Characters per line" });
  await page.setViewportSize({ width: 390, height: 844 });
  await screenshots(page, "export-options");
  await columns.fill("24");
  await dialog(page).getByRole("combobox", { name: "Lines per subtitle" }).selectOption("1");
  const subtitles = (await saved(page, () => columns.press("Enter"))).toString();
  const lines = subtitles.split("\n").filter((line) => /[a-z]/.test(line));
  expect([Math.max(...lines.map(({ length }) => length)) <= 24, subtitles.includes("Speaker")]).toEqual([true, false]);
  expect(subtitles.split("\n\n").every((cue) => cue.trim().split("\n").length === 3)).toBe(true);
});
