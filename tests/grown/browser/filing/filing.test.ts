import { readFile } from "node:fs/promises";
import type { Page } from "playwright";
import { onTestFinished, test } from "vitest";
import { enter, expect, openPage, screenshots, sharedBrowser, startParlance } from "#tests/browser/harness.ts";
import { violations } from "#tests/browser/harness-axe.ts";
import { putTranscript, spokenSegment } from "#tests/browser/harness-transcript.ts";
import { unzipped } from "#tests/server/zip.ts";

// Folders and tags of the history, with a real server and a second tab. The rest of the page: tests/components/filing.

/** A user with this many transcripts; the newest is `number 1`. */
async function beginWith(count: number) {
  const server = await startParlance();
  onTestFinished(() => server[Symbol.asyncDispose]());
  const visit = await openPage(await sharedBrowser());
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
    entry: (name: string) => filed.getByRole("link", { name, exact: true }),
    bar: page.getByRole("region", { name: "Selected transcripts" }),
    dialog: page.getByRole("dialog"),
  };
}

// PROMISE history: Folders, tags and favourites apply to many rows; many rows export as one .zip
test("files rows with the keyboard alone, updates another tab, and saves the rows as one archive", async () => {
  const { server, page, rows, bar, dialog } = await beginWith(2);
  const other = await page.context().newPage();
  await other.goto(new URL("/dashboard", server.url).href);
  const elsewhere = partsOf(other);
  await elsewhere.entry("Favorites").waitFor();

  // Makes a folder for the selected rows.
  await rows.nth(0).getByRole("link").focus();
  await page.keyboard.press("Space");
  await page.keyboard.press("Shift+ArrowDown");
  await bar.locator("summary", { hasText: "Move" }).focus();
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

  // Makes a tag and removes it from one row.
  await bar.locator("summary", { hasText: "Tags" }).focus();
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
  await bar.locator("summary", { hasText: "Tags" }).focus();
  await page.keyboard.press("Enter");
  const urgent = bar.getByRole("button", { name: "Tag: Urgent" });
  await expect(urgent).toHaveAttribute("aria-pressed", "true");
  await urgent.focus();
  await page.keyboard.press("Enter");
  await expect(rows.nth(0)).not.toContainText("Tag: Urgent");
  await expect(elsewhere.rows.nth(0)).not.toContainText("Tag: Urgent");
  await page.keyboard.press("Escape");

  // The other tab shows the new name, and its filter is gone when the folder is deleted. The pointer leaves the corner,
  // where the sidebar opens over the folders.
  await other.getByRole("searchbox").hover();
  await elsewhere.entry("Folder: Work").click();
  await page.getByRole("button", { name: "Edit folders and tags" }).click();
  await dialog.getByRole("button", { name: "Edit “Work”" }).click();
  await dialog.getByLabel("Name").fill("Job");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(elsewhere.entry("Folder: Job")).toHaveAttribute("aria-current", "page");
  await dialog.getByRole("button", { name: "Delete “Job”" }).click();
  await dialog.getByRole("button", { name: "Delete" }).click();
  await dialog.getByRole("button", { name: "Done" }).click();
  await expect(elsewhere.rows).toHaveCount(2);
  await expect(rows.nth(0)).not.toContainText("Folder");

  const download = page.waitForEvent("download");
  await bar.getByText("Export", { exact: true }).click();
  await bar.getByRole("button", { name: "Subtitles (.srt)" }).click();
  const saved = await download;
  expect(saved.suggestedFilename()).toMatch(/^transcripts-\d{4}-\d\d-\d\d\.zip$/);
  const files = unzipped(await readFile(await saved.path()));
  expect([...files.keys()].toSorted()).toEqual(["number 1.srt"]);
  expect(files.get("number 1.srt")).toContain("It is number 1.");
  await screenshots(page, "filing", { fullPage: true });
  expect(await violations(page)).toEqual([]);
  await page.reload();
  await expect(rows.nth(1)).toContainText("Tag: Urgent");
});
