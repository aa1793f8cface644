import type { Page } from "playwright";
import { test } from "vitest";
import { expect, openPage, openSignedIn, sharedParlance } from "#tests/browser/harness.ts";
import { drop, fixture, inState, rowOf, rows, throttle } from "#tests/browser/harness-files.ts";
import { putTranscript, spokenSegment } from "#tests/browser/harness-transcript.ts";

const shared = sharedParlance({ acrossFiles: true });

/** Opens a dashboard with one transcript. */
async function openHistory(page: Page) {
  await openSignedIn(page, shared.server, "/dashboard");
  await putTranscript(shared.server, page, { title: "A talk", segments: [spokenSegment("Good morning.", 0, 2)] });
  await page.reload();
  const transcripts = page.getByRole("list", { name: /^Transcripts/ }).getByRole("listitem");
  await expect(transcripts).toHaveCount(1);
  return { transcripts, onto: page.getByRole("heading", { level: 1 }) };
}

/**
 * Counts a file's name above and in the list at each change of the page.
 * @returns the highest count, and the lowest one since its first row
 */
async function watchNames(page: Page, name: string): Promise<() => Promise<{ most: number; least: number }>> {
  const watch = await page.evaluateHandle((wanted) => {
    const seen: number[] = [];
    const count = () => {
      const texts = [...document.querySelectorAll("[data-testid=upload] bdi, li[data-row] a")].map((one) => one.textContent);
      const times = texts.filter((text) => text.startsWith(wanted)).length;
      if (times > 0 || seen.length > 0) seen.push(times);
    };
    new MutationObserver(count).observe(document.body, { childList: true, subtree: true, characterData: true });
    return { seen };
  }, name);
  return () => watch.evaluate(({ seen }) => ({ most: Math.max(...seen), least: Math.min(...seen) }));
}

// PROMISE uploads: Dropped files are shown on their way; unreadable ones share one notice
test("shows a file that is dropped on the dashboard, pauses it, and turns it into its transcript's row", async () => {
  await using visit = await openPage(shared.browser);
  const { page } = visit;
  const { transcripts, onto } = await openHistory(page);
  const times = await watchNames(page, "market");
  await throttle(page, 20_000);
  await drop(page, [fixture("market.wav")], onto);
  const file = rowOf(page, "market.wav");
  await inState(file, "uploading").waitFor();
  const bar = file.getByRole("progressbar", { name: "Upload of market.wav" });
  await expect.poll(async () => Number(await bar.getAttribute("aria-valuenow"))).toBeGreaterThan(5);
  await file.getByRole("button", { name: "Pause market.wav" }).click();
  await inState(file, "paused").waitFor();
  await expect(transcripts).toHaveCount(1);
  await throttle(page, -1);
  await file.getByRole("button", { name: "Resume" }).click();
  await expect(transcripts).toHaveCount(2);
  await expect(rows(page)).toHaveCount(0);
  expect(new URL(page.url()).pathname).toBe("/dashboard");
  await expect(transcripts.first()).toContainText("market");
  // The file was never shown twice, and never missing.
  expect(await times()).toEqual({ most: 1, least: 1 });
});

test("pauses two files that are dropped on the dashboard with one button above the list", async () => {
  await using visit = await openPage(shared.browser);
  const { page } = visit;
  const { onto } = await openHistory(page);
  await throttle(page, 5_000);
  await drop(page, [fixture("market.wav"), fixture("talk.wav")], onto);
  await page.getByRole("button", { name: "Pause all" }).click();
  for (const name of ["market.wav", "talk.wav"]) await inState(rowOf(page, name), "paused").waitFor();
  await expect(page.getByTestId("overall")).toContainText("0 of 2 files uploaded");
  await expect(page.getByRole("button", { name: "Resume all" })).toBeVisible();
});

test("lets the user retry or dismiss a canceled upload", async () => {
  await using visit = await openPage(shared.browser);
  const { page } = visit;
  const { transcripts, onto } = await openHistory(page);
  await throttle(page, 5_000);
  await drop(page, [fixture("market.wav")], onto);
  const file = rowOf(page, "market.wav");
  await inState(file, "uploading").waitFor();
  await file.getByRole("button", { name: "Cancel market.wav" }).click();
  await inState(file, "cancelled").waitFor();
  await file.getByRole("button", { name: "Try again" }).click();
  await inState(file, "uploading").waitFor();
  await file.getByRole("button", { name: "Cancel market.wav" }).click();
  await file.getByRole("button", { name: "Remove market.wav from this list" }).click();
  await expect(rows(page)).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  await expect(transcripts).toHaveCount(1);
});

// PROMISE uploads: Dropped files are shown on their way; unreadable ones share one notice
test("lists unreadable files in one notice, and moves them to the trash when it is dismissed", async () => {
  await using visit = await openPage(shared.browser);
  const { page } = visit;
  const { transcripts, onto } = await openHistory(page);
  await drop(page, [fixture("empty.wav"), fixture("not-audio.mp3"), fixture("market.mp3")], onto);
  const notice = page.getByRole("status").filter({ hasText: "2 transcripts can’t be read" });
  await notice.waitFor();
  await expect(notice).toContainText("empty.wav");
  await expect(notice).toContainText("The file contains no audio: it is empty or 0 seconds long. Choose another file.");
  await expect(notice).toContainText("not-audio");
  await expect(notice).toContainText("This file can’t be read as audio or video");
  await expect(transcripts).toHaveCount(2);
  await expect(page.getByText("2 transcripts", { exact: true })).toBeVisible();
  await expect(rows(page)).toHaveCount(0);

  await notice.getByRole("button", { name: "Dismiss" }).click();
  await expect(notice).toHaveCount(0);
  await expect(page.getByRole("heading", { level: 1 })).toBeFocused();
  await page.getByText(/not-audio.* was moved to the trash\./).waitFor();
  await page.reload();
  await expect(transcripts).toHaveCount(2);
  await expect(notice).toHaveCount(0);
  await page.getByRole("link", { name: "Trash", exact: true }).click();
  await page
    .getByRole("list", { name: "Trash, most recently deleted first" })
    .getByRole("listitem")
    .filter({ hasText: "not-audio" })
    .waitFor();
});
