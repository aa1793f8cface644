import { readFile } from "node:fs/promises";
import type { Page } from "playwright-core";
import { onTestFinished, test } from "vitest";
import { enter, expect, openPage, screenshots, sharedBrowser, startParlance } from "#tests/browser/harness.ts";
import { violations } from "#tests/browser/harness-axe.ts";
import { putTranscript, spokenSegment } from "#tests/browser/harness-transcript.ts";
import { unzipped } from "#tests/server/zip.ts";

// Folders, tags and favourites of the history: with the keyboard, with the mouse, in another tab, on a phone.

/** Somebody with so many transcripts, of which `number 1` is the newest. */
async function beginWith(count: number, expected: readonly RegExp[]) {
  const server = await startParlance();
  onTestFinished(() => server[Symbol.asyncDispose]());
  const visit = await openPage(await sharedBrowser(), { expected });
  onTestFinished(() => visit[Symbol.asyncDispose]());
  const { page } = visit;
  await enter(page, server);
  for (let number = count; number > 0; number--) {
    await putTranscript(server, page, {
      title: `number ${number}`,
      segments: [spokenSegment(`It is number ${number}.`, 0, 2)],
      date: new Date(Date.UTC(2026, 2, 1) - number * 60_000).toISOString(),
    });
  }
  await page.goto(new URL("/dashboard", server.url).href);
  await partsOf(page).rows.first().waitFor();
  return { server, page, ...partsOf(page) };
}

function partsOf(page: Page) {
  const filed = page.getByRole("region", { name: "Folders and tags" });
  return {
    rows: page.getByRole("list", { name: "Transcripts" }).getByRole("listitem"),
    filed,
    chip: (name: string) => filed.getByRole("button", { name, exact: true }),
    bar: page.getByRole("region", { name: "Selected transcripts" }),
    dialog: page.getByRole("dialog"),
  };
}

// PROMISE history: Folders, tags and favourites apply to many rows; many rows export as one .zip
test("rows are filed with the keyboard alone, found by folder, tag and words together, and another tab follows", async () => {
  const { server, page, rows, chip, bar, dialog } = await beginWith(4, [/409 \(Conflict\).*\/folders/]);
  const other = await page.context().newPage();
  await other.goto(new URL("/dashboard", server.url).href);
  const elsewhere = partsOf(other);
  await elsewhere.chip("Favourites").waitFor();

  // A folder that is made for what is selected.
  await rows.nth(0).getByRole("link").focus();
  await page.keyboard.press("Space");
  await page.keyboard.press("Shift+ArrowDown");
  await bar.getByText("Move", { exact: true }).focus();
  await page.keyboard.press("Enter");
  await bar.getByRole("button", { name: "New folder…" }).focus();
  await page.keyboard.press("Enter");
  await expect(dialog.getByLabel("Name")).toBeFocused();
  await page.keyboard.type("Work");
  await page.keyboard.press("Enter");
  await expect(dialog).toHaveCount(0);
  await page.getByText("Moved to “Work”.").waitFor();
  await expect(rows.nth(0)).toContainText("Folder: Work");
  await expect(rows.nth(1)).toContainText("Folder: Work");
  await expect(elsewhere.rows.nth(1)).toContainText("Folder: Work");

  // A tag, of which one row is taken off again.
  await bar.getByText("Tags", { exact: true }).focus();
  await page.keyboard.press("Enter");
  await bar.getByRole("button", { name: "New tag…" }).focus();
  await page.keyboard.press("Enter");
  await page.keyboard.type("Urgent");
  await dialog.getByRole("radio", { name: "Red" }).focus();
  await page.keyboard.press("Space");
  await page.keyboard.press("Enter");
  await expect(dialog).toHaveCount(0);
  await expect(rows.nth(1)).toContainText("Tag: Urgent");
  await rows.nth(1).getByRole("checkbox").focus();
  await page.keyboard.press("Space");
  await bar.getByText("Tags", { exact: true }).focus();
  await page.keyboard.press("Enter");
  const urgent = bar.getByRole("button", { name: "Tag: Urgent" });
  await expect(urgent).toHaveAttribute("aria-pressed", "true");
  await urgent.focus();
  await page.keyboard.press("Enter");
  await expect(rows.nth(0)).not.toContainText("Tag: Urgent");
  await expect(elsewhere.rows.nth(0)).not.toContainText("Tag: Urgent");
  await page.keyboard.press("Escape");

  // What is chosen combines.
  await chip("Folder: Work").focus();
  await page.keyboard.press("Enter");
  await expect(rows).toHaveText([/number 1/, /number 2/]);
  await chip("Tag: Urgent").press("Enter");
  await expect(rows).toHaveText([/number 2/]);
  await page.getByText("1 of 4").waitFor();
  await page.getByRole("searchbox").fill("number 1");
  await page.getByText("0 of 4").waitFor();
  await page.getByRole("button", { name: "Clear filters" }).click();
  await expect(rows).toHaveCount(4);
  await chip("In no folder").click();
  await expect(rows).toHaveText([/number 3/, /number 4/]);
  await chip("In no folder").click();

  // A name that is taken, and one that is not; the other tab has it, and what it filters by is gone when it is deleted.
  await elsewhere.chip("Folder: Work").click();
  await page.getByRole("button", { name: "Edit folders and tags" }).click();
  await dialog.getByRole("button", { name: "New folder" }).click();
  await dialog.getByLabel("Name").fill("WORK");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByText("Another one has this name.").waitFor();
  await dialog.getByLabel("Name").fill("Home");
  await dialog.getByRole("button", { name: "Save" }).click();
  await dialog.getByRole("button", { name: "Change “Work”" }).click();
  await dialog.getByLabel("Name").fill("Job");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(elsewhere.chip("Folder: Job")).toHaveAttribute("aria-pressed", "true");
  await dialog.getByRole("button", { name: "Delete “Job”" }).click();
  await dialog.getByText("The transcripts in it stay.").waitFor();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(elsewhere.rows).toHaveCount(4);
  await expect(rows.nth(0)).not.toContainText("Folder");
  await page.reload();
  await expect(rows.nth(1)).toContainText("Tag: Urgent");
});

// PROMISE history: Folders, tags and favourites apply to many rows; many rows export as one .zip
test("rows are dragged onto folders, tags and favourites, starred, and saved as one archive; on a phone, too", async () => {
  const { page, rows, filed, chip, bar, dialog } = await beginWith(4, [/ERR_FAILED.*\/filing/]);
  const make = async (kind: string, name: string, colour?: string) => {
    await dialog.getByRole("button", { name: `New ${kind}` }).click();
    await dialog.getByLabel("Name").fill(name);
    if (colour !== undefined) await dialog.getByRole("radio", { name: colour }).check();
    await dialog.getByRole("button", { name: "Save" }).click();
    await dialog.getByText(name, { exact: true }).waitFor();
  };
  await filed.getByRole("button", { name: "Edit folders and tags" }).click();
  await make("folder", "Interviews with people who have much to say about it");
  await make("folder", "Work");
  for (const colour of ["Grey", "Red", "Orange", "Yellow", "Green", "Teal", "Blue", "Purple", "Pink"])
    await make("tag", colour, colour);
  await screenshots(page, "filing-dialog");
  expect(await violations(page)).toEqual([]);
  await dialog.getByRole("button", { name: "Done" }).click();

  await rows.nth(2).getByRole("link").dragTo(chip("Folder: Work"));
  await expect(rows.nth(2)).toContainText("Folder: Work");
  await rows.nth(0).getByRole("checkbox").check();
  await rows.nth(3).getByRole("checkbox").check();
  await rows.nth(3).getByRole("link").dragTo(chip("Tag: Teal"));
  await expect(rows.nth(0)).toContainText("Tag: Teal");
  await expect(rows.nth(3)).toContainText("Tag: Teal");
  await rows.nth(0).getByRole("link").dragTo(chip("Favourites"));
  const star = (index: number) => rows.nth(index).getByRole("button", { name: /^Favourite: / });
  await expect(star(3)).toHaveAttribute("aria-pressed", "true");
  await star(3).click();
  await expect(star(3)).toHaveAttribute("aria-pressed", "false");
  await screenshots(page, "filing", { fullPage: true });
  expect(await violations(page)).toEqual([]);

  const download = page.waitForEvent("download");
  await bar.getByText("Export", { exact: true }).click();
  await bar.getByRole("button", { name: "Subtitles (.srt)" }).click();
  const saved = await download;
  expect(saved.suggestedFilename()).toMatch(/^transcripts-\d{4}-\d\d-\d\d\.zip$/);
  const files = unzipped(await readFile(await saved.path()));
  expect([...files.keys()].toSorted()).toEqual(["number 1.srt", "number 4.srt"]);
  expect(files.get("number 4.srt")).toContain("It is number 4.");

  await page.setViewportSize({ width: 390, height: 800 });
  await bar.getByText("Tags", { exact: true }).click();
  await bar.getByRole("button", { name: "Tag: Pink" }).click();
  await expect(rows.nth(0)).toContainText("Tag: Pink");
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390);
  await chip("Favourites").click();
  await expect(rows).toHaveText([/number 1/]);

  // What can't be done is said, and nothing has changed.
  await page.route("**/audio-transcriptions/filing", (route) => route.abort());
  await star(0).click();
  await page.getByText("Cannot connect to server").waitFor();
  await expect(star(0)).toHaveAttribute("aria-pressed", "true");
});

test("a transcript's own page shows its folder and its tags, and changes them; what is typed there stays", async () => {
  const { page, rows, dialog } = await beginWith(1, []);
  await rows.nth(0).getByRole("link").click();
  const facts = page.locator("header p").filter({ hasText: "Spoken: English" });
  const menu = (name: string) => page.locator("summary").filter({ hasText: name });
  await page.getByRole("button", { name: /^Correct the text/ }).click();
  await page.keyboard.type(" And more");
  await menu("Move").click();
  await page.getByRole("button", { name: "New folder…" }).click();
  await expect(dialog.getByLabel("Name")).toBeFocused();
  await page.keyboard.type("Work");
  await page.keyboard.press("Enter");
  await expect(facts).toContainText("Folder: Work");
  await menu("Tags").click();
  await page.getByRole("button", { name: "New tag…" }).click();
  await expect(dialog.getByLabel("Name")).toBeFocused();
  await page.keyboard.type("Pink");
  await page.keyboard.press("Enter");
  await expect(facts).toContainText("Tag: Pink");
  await page.getByRole("button", { name: "Favourite", exact: true }).click();
  await expect(page.getByRole("button", { name: "Favourite", exact: true })).toHaveAttribute("aria-pressed", "true");
  await expect(page.getByRole("textbox", { name: /^Text at/ })).toHaveValue(/And more/);
  await expect(dialog).toHaveCount(0);
  await screenshots(page, "filing-transcript");
  expect(await violations(page)).toEqual([]);
  await page.reload();
  await expect(facts).toContainText("Folder: Work");
  await expect(facts).toContainText("Tag: Pink");
  await menu("Move").click();
  await page.getByRole("button", { name: "Out of the folder" }).click();
  await expect(facts).not.toContainText("Folder: Work");
});
