import type { Locator, Page } from "playwright";
import { test } from "vitest";
import { expect, screenshots, sharedPage, sharedParlance } from "#tests/browser/harness.ts";
import { violations } from "#tests/browser/harness-axe.ts";
import { putTranscript, spokenSegment } from "#tests/browser/harness-transcript.ts";

// Highlights and notes of a transcript beside its text.

const shared = sharedParlance({ acrossFiles: true });
const pages = sharedPage(shared);

const talk = [
  spokenSegment("Good morning and welcome to the harbour.", 0, 4, { speaker: "1", translation: "Buenos días." }),
  spokenSegment("The harbour is old.", 4, 7, { speaker: "1", translation: "El puerto es viejo." }),
  spokenSegment("May I ask about the Harbour?", 7, 10, { speaker: "2", translation: "¿Puedo preguntar?" }),
];

const row = (page: Page, index: number) => page.locator(`li[data-index="${index}"]`);
const word = (page: Page, index: number, text: string) => row(page, index).getByText(text, { exact: true });
const marked = (page: Page, look: string) => page.locator(`mark[data-start][data-note="${look}"]`);
const button = (within: Page | Locator, name: string | RegExp) => within.getByRole("button", { name, exact: true });
const panel = (page: Page) => page.getByRole("region", { name: "Notes", exact: true });
const entries = (page: Page) => panel(page).getByRole("listitem");
const field = (page: Page) => page.getByRole("textbox", { name: "Note" });

/** Drags the mouse from the start of a word to the end of another one, when both have stopped moving. */
async function drag(from: Locator, to: Locator): Promise<void> {
  const size = await to.boundingBox();
  if (size === null) throw new Error("There is no such word.");
  const middle = size.height / 2;
  await from.dragTo(to, { sourcePosition: { x: 2, y: middle }, targetPosition: { x: size.width - 2, y: middle }, steps: 4 });
}

// PROMISE notes: People highlight and note passages; exports contain the notes
test("highlights and notes passages by mouse and keyboard, and keeps notes through an error and a reload", {
  tags: "quick",
}, async () => {
  const { page, visit } = await pages.begin((_, whose) =>
    putTranscript(shared.server, whose, { segments: talk, audioSeconds: 12, targetLanguage: "es" }),
  );
  await drag(word(page, 0, "welcome"), word(page, 1, "harbour"));
  const choices = page.getByRole("toolbar", { name: "Selected text" });
  await screenshots(page, "notes-selected");
  expect(await violations(page)).toEqual([]);
  await button(choices, "Highlight in Green").press("Enter");
  await expect(marked(page, "green")).toHaveText(["welcome", "to", "the", "harbour.", "The", "harbour"]);
  await choices.waitFor({ state: "detached" });
  await expect(button(page, "Note on the passage at 0:00")).toBeFocused();

  // Notes the focused passage without its last word, by keyboard.
  await page.keyboard.press("ArrowDown");
  await row(page, 2).locator("[data-time]").focus();
  await page.keyboard.press("Alt+n");
  await expect(field(page)).toBeFocused();
  await page.keyboard.type("ask Anna about the old one");
  await button(page, "Remove the last word").press("Enter");
  await expect(marked(page, "draft")).toHaveText(["May", "I", "ask", "about", "the"]);
  visit.expect(/ERR_FAILED/);
  await page.route("**/notes/*", (route) => route.abort(), { times: 1 });
  await field(page).press("Control+Enter");
  await page.getByRole("alert").getByText("What you wrote is stored in this browser.").waitFor();
  await screenshots(page, "notes-form");
  expect(await violations(page)).toEqual([]);
  await page.reload();
  await expect(field(page)).toHaveValue("ask Anna about the old one");
  await field(page).press("Control+Enter");
  await expect(button(page, "Note on the passage at 0:07")).toBeFocused();
  await expect(marked(page, "noted").first()).toHaveAttribute("title", "ask Anna about the old one");

  await page.getByLabel("Actions", { exact: true }).click();
  await button(page, "Notes").click();
  await expect(panel(page).getByRole("heading", { name: "Notes" })).toBeFocused();
  await expect(entries(page).first()).toContainText("welcome to the harbour. The harbour");
  await expect(entries(page).nth(1)).toContainText("May I ask about the");
  await screenshots(page, "notes-panel", { fullPage: true });
  expect(await violations(page)).toEqual([]);
  await button(panel(page), "Play from 0:07").click();
  // The spoken word, the search hits and the note are marked at the same time.
  await expect(marked(page, "noted").and(page.locator("[class*=spoken]"))).toHaveCount(1);
  await page.keyboard.press("Alt+k");
  await page.keyboard.press("Alt+r");
  await page.keyboard.type("harbour");
  await expect(marked(page, "green").locator("mark")).toHaveCount(2);

  await button(panel(page), "Edit the note at 0:07").click();
  await page.getByRole("radio", { name: "Pink" }).check();
  await button(page, "Save").click();
  await expect(marked(page, "pink")).toHaveCount(5);
  await expect(button(panel(page), "Edit the note at 0:07")).toBeFocused();
  await button(panel(page), "Delete the note at 0:01").press("Enter");
  await expect(button(panel(page), "Undo")).toBeFocused();
  await expect(marked(page, "green")).toHaveCount(0);
  await page.keyboard.press("Enter");
  await expect(marked(page, "green")).toHaveCount(6);
  await expect(entries(page)).toHaveCount(2);
  await button(panel(page), "Close").click();
  await expect(page.getByLabel("Actions", { exact: true })).toBeFocused();
});
