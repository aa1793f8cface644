import { readFile } from "node:fs/promises";
import type { Page } from "playwright";
import { test } from "vitest";
import type { Segment } from "#contract/index.ts";
import { expect, sharedPage, sharedParlance } from "#tests/browser/harness.ts";
import { longTalk, type MadeTranscript, putTranscript, spokenSegment } from "#tests/browser/harness-transcript.ts";
import { unzipped } from "#tests/server/zip.ts";

const shared = sharedParlance({ acrossFiles: true });
const pages = sharedPage(shared);

const talk: Segment[] = [
  spokenSegment("Good morning and welcome to the harbour.", 0, 4, { speaker: "1" }),
  spokenSegment("The harbour is old.", 4, 7, { speaker: "1" }),
  spokenSegment("May I ask about the Harbour?", 7, 10, { speaker: "2" }),
];
/** Opens a transcript for a new user. */
async function reading(made: Partial<MadeTranscript> = {}) {
  const begun = await pages.begin((_, page) => putTranscript(shared.server, page, { segments: talk, ...made }));
  await rows(begun.page).first().waitFor();
  return begun;
}

const rows = (page: Page) => page.getByRole("list", { name: "Transcript" }).getByRole("listitem");
const row = (page: Page, index: number) => page.locator(`li[data-index="${index}"]`);
/** The texts of the segments, without times and names. */
const texts = (page: Page) => page.locator("li[data-index] p");
const field = (page: Page, time: string) => page.getByRole("textbox", { name: `Text at ${time}`, exact: true });
const saved = (page: Page) => page.getByText("Saving…").waitFor({ state: "detached" });
const undo = (page: Page) => page.getByRole("button", { name: /^Undo/ });
const redo = (page: Page) => page.getByRole("button", { name: /^Redo/ });

async function correct(page: Page, index: number, text: string): Promise<void> {
  await row(page, index)
    .getByRole("button", { name: /^Correct/ })
    .click();
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type(text);
  await page.keyboard.press("Enter");
}

test("corrects, splits, names, searches and exports a transcript, and keeps all changes after a reload", {
  tags: "quick",
}, async () => {
  const { page } = await reading({ title: "Hafen & Meer", audioSeconds: 20 });

  await correct(page, 0, "Good evening, and welcome.");
  await row(page, 1)
    .getByRole("button", { name: /^Correct/ })
    .click();
  await page.locator("textarea").evaluate((area: HTMLTextAreaElement) => area.setSelectionRange(11, 11));
  await page.keyboard.press("Enter");
  await page.keyboard.press("Escape");
  await row(page, 0)
    .getByRole("button", { name: /^Speaker 1/ })
    .click();
  await page.keyboard.type("Anna");
  await page.getByRole("button", { name: "Rename everywhere" }).click();
  await page.keyboard.press("Alt+r");
  await page.getByRole("searchbox", { name: "Find" }).fill("harbour");
  await page.getByLabel("Replace with").fill("port");
  await page.getByRole("button", { name: "Replace all" }).click();
  await page.getByText("Replaced: 2").waitFor();
  const now = ["Good evening, and welcome.", "The port", "is old.", "May I ask about the port?"];
  await expect(texts(page)).toHaveText(now);
  await undo(page).click();
  await expect(texts(page).last()).toHaveText("May I ask about the Harbour?");
  await redo(page).click();
  await saved(page);
  await page.reload();
  await expect(texts(page)).toHaveText(now);
  await row(page, 0).getByText("Anna").waitFor();
  await expect(row(page, 0).locator("[data-start]")).toHaveCount(4);

  await page.goto(`${page.url()}?lng=de`);
  const take = async (name: string) => {
    await page.getByText("Exportieren", { exact: true }).click();
    const [download] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name }).click()]);
    return { name: download.suggestedFilename(), bytes: await readFile(await download.path()) };
  };
  const word = await take("Word (.docx)");
  expect(word.name).toBe("Hafen & Meer.docx");
  const document = unzipped(word.bytes).get("word/document.xml") ?? "";
  expect(document).toContain("Anna: ");
  expect(document).toContain("Good evening, and welcome.");
  const audio = await take("Audio (Originaldatei)");
  expect([audio.name, audio.bytes.subarray(0, 4).toString()]).toEqual(["Hafen & Meer.wav", "RIFF"]);
});

// PROMISE correcting: Corrections in two tabs are merged
test("keeps typed text when another tab merges its passage", async () => {
  const { page } = await reading();
  const other = await page.context().newPage();
  await other.goto(page.url());
  for (const tab of [other, page]) {
    await row(tab, 1)
      .getByRole("button", { name: /^Correct/ })
      .click();
  }
  await field(page, "0:04").fill("The harbour is not old");
  await field(other, "0:04").evaluate((area: HTMLTextAreaElement) => area.setSelectionRange(0, 0));
  await other.keyboard.press("Backspace");
  await expect(rows(page)).toHaveCount(2);
  await expect(field(page, "0:00")).toHaveValue("Good morning and welcome to the harbour. The harbour is not old");
  await field(page, "0:00").press("Control+Enter");
  await expect(field(other, "0:00")).toHaveValue(/is not old$/);
});

test("renders only the visible rows of a three-hour transcript, follows the player, and keeps focus and typed text", async () => {
  const [count, seconds] = [3_000, 10_800];
  const { page } = await reading({ segments: longTalk(count), audioSeconds: seconds });
  await expect.poll(() => rows(page).count()).toBeLessThan(60);
  await expect(row(page, 0)).toHaveAttribute("aria-setsize", `${count}`);
  await row(page, 2)
    .getByRole("button", { name: /^Correct/ })
    .click();
  await page.keyboard.type(" And more");
  await page.mouse.move(600, 500);
  await page.mouse.wheel(0, 30_000);
  const last = () => rows(page).evaluateAll((all) => Math.max(...all.map((li) => Number(li.getAttribute("data-index")))));
  await expect.poll(last).toBeGreaterThan(400);
  await page.keyboard.type(" to come");
  await expect(page.getByRole("textbox", { name: "Text at 0:07" })).toHaveValue(/And more to come/);
  await page.keyboard.press("Enter");
  await row(page, 2).getByText("to come").waitFor();

  await page.getByRole("slider", { name: "Position" }).focus();
  await page.keyboard.press("Alt+k");
  await page.getByRole("button", { name: "Pause" }).waitFor();
  await page.evaluate(() => scrollTo(0, 0));
  await row(page, 5)
    .locator("[data-start]")
    .first()
    .click({ modifiers: ["Alt"] });
  await expect(page.locator("li[data-index='5'] [class*=spoken]")).toHaveCount(1);
  const isBetween = (y: number, low: number, high: number) => y > low && y < high;
  await page.getByRole("slider", { name: "Position" }).fill("9001");
  await expect(page.locator("li[data-index='2500'] [class*=spoken]")).toHaveCount(1);
  // Rows on the way are measured when they appear, which shifts the row for a frame or two.
  const place = async () => (await row(page, 2500).boundingBox())?.y ?? Number.NaN;
  await expect.poll(async () => isBetween(await place(), 60, 720)).toBe(true);
  await page.mouse.wheel(0, -8_000);
  // The spoken row stays rendered wherever the user scrolls.
  const first = () => rows(page).evaluateAll((all) => Math.min(...all.map((li) => Number(li.getAttribute("data-index")))));
  await expect.poll(first).toBeLessThan(2_450);
  await page.getByRole("slider", { name: "Position" }).fill("9100");
  await expect(page.locator("li[data-index='2527'] [class*=spoken]")).toHaveCount(1);
  expect(await page.evaluate(() => document.querySelector("li[data-index='2527']")?.getBoundingClientRect().top)).toBeGreaterThan(
    800,
  );
});
