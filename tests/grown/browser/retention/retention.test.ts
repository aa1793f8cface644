import { test } from "vitest";
import { enter, expect, openPage, screenshots, sharedParlance } from "#tests/browser/harness.ts";
import { violations } from "#tests/browser/harness-axe.ts";
import { putTranscript, spokenSegment } from "#tests/browser/harness-transcript.ts";

// The main path of retention, which takes long in a browser. Its rules: tests/server/retention/.

const shared = sharedParlance();

// PROMISE history: A folder keeps transcripts for a number of days; the server deletes them later
test("shows what a retention of one week would delete before saving it, and the date on each transcript", {
  tags: "quick",
}, async () => {
  const { server, browser } = shared;
  await using visit = await openPage(browser);
  const { page } = visit;
  await enter(page, server);
  await putTranscript(server, page, { title: "A call", segments: [spokenSegment("It is a call.", 0, 2)] });
  await page.goto(new URL("/dashboard", server.url).href);
  await page.getByRole("button", { name: "Edit folders and tags" }).click();
  const dialog = page.getByRole("dialog");
  await dialog.getByRole("button", { name: "How long “No folder” is kept" }).click();
  await expect(dialog.getByRole("heading", { name: "How long transcripts without a folder are kept" })).toBeFocused();
  await expect(dialog.getByRole("status")).toHaveText("Nothing is deleted automatically.");
  await dialog.getByLabel("Transcript and recording").selectOption({ label: "Deleted after 7 days" });
  await expect(dialog.getByRole("status")).toContainText("The next transcript will move to the trash on");
  await expect(dialog.getByRole("status")).toContainText("You can restore transcripts from the trash for 30 days");
  expect(await violations(page)).toEqual([]);
  await screenshots(page, "retention-form");
  await dialog.getByRole("button", { name: "Save" }).click();
  await expect(dialog.getByRole("heading", { name: "Folders and tags" })).toBeVisible();
  await dialog.getByRole("button", { name: "Done" }).click();

  await page.getByRole("link", { name: "A call" }).click();
  await page.getByLabel("Actions", { exact: true }).click();
  await expect(page.getByText(/^Moves to the trash on/)).toBeVisible();
  expect(await violations(page)).toEqual([]);
  await screenshots(page, "retention-transcript");
});
