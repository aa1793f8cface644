import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Locator, Page } from "playwright";
import * as v from "valibot";
import { test } from "vitest";
import { StorageUse } from "#contract/index.ts";
import { expect, openPage, type Parlance, sharedParlance } from "#tests/browser/harness.ts";
import { ownConnection } from "#tests/browser/harness-account.ts";
import { fixture, inState, openDropZone, quietFile, rowOf } from "#tests/browser/harness-files.ts";
import { framesKept, holdAnswers } from "./kept-frames.ts";

// The user's storage quota on the server is used up (server/subscription/storage-quota.ts).

/** Room for one file of 0.87 MB, but not for harbor.wav (0.35 MB) beside it. */
const env = { STORAGE_QUOTA_FREE_MB: "1" };
const full =
  "Your storage on this server is full. Permanently delete what you no longer need, or upgrade. Everything you have stays.";
const refused = /402 \(Payment Required\)/;
/** Console errors when the server is gone. */
const serverAway = /ERR_|Failed to load resource/;

const shared = sharedParlance({ env, browser: { microphone: { speaks: fixture("microphone.wav") } } });

/** Empties the trash: a start erases what is marked for erasing. */
async function forgetDeleted(server: Parlance): Promise<void> {
  using db = new DatabaseSync(join(server.dataDir, "parlance.db"), { timeout: 10_000 });
  db.exec("update transcriptions set erasing = 1 where deleted_at is not null");
  await server.restart();
  const left = db.prepare("select count(*) as count from transcriptions where deleted_at is not null");
  await expect.poll(() => left.get()?.count).toBe(0);
}

/** @returns the bytes stored for the signed-in user */
async function storedBytes(page: Page, { apiUrl }: Parlance): Promise<number> {
  const token = await page.evaluate(() => localStorage.getItem("jwtToken"));
  const answer = await page.request.get(`${apiUrl}/api/v1/storage`, {
    headers: { ...ownConnection, Authorization: `Bearer ${token}` },
  });
  return v.parse(StorageUse, await answer.json()).usedBytes;
}

/** Puts a transcript into the trash. */
async function trash(page: Page, { apiUrl }: Parlance, id: string): Promise<void> {
  const token = await page.evaluate(() => localStorage.getItem("jwtToken"));
  const answer = await page.request.post(`${apiUrl}/api/v1/audio-transcriptions/trash`, {
    headers: { ...ownConnection, Authorization: `Bearer ${token}` },
    data: { ids: [id] },
  });
  expect(answer.ok()).toBe(true);
}

const choose = (page: Page, file: Parameters<Locator["setInputFiles"]>[0]) =>
  page.locator("input[type=file]").setInputFiles(file);
/** 0.87 MB */
const large = () => quietFile("talk.wav", 27);

test("refuses a file beyond the quota with the reason, and accepts it after a permanent deletion", async () => {
  const { browser, server } = shared;
  await using visit = await openPage(browser, { expected: [refused, serverAway] });
  const { page } = visit;
  await openDropZone(page, server);
  await choose(page, await large());
  await inState(rowOf(page, "talk.wav"), "completed").waitFor();
  await choose(page, fixture("harbor.wav"));
  const row = rowOf(page, "harbor.wav");
  await inState(row, "failed").waitFor();
  await expect(row).toContainText(full);
  // The file in the trash still counts, so the answer is the same.
  const again = row.getByRole("button", { name: "Try again" });
  const answered = page.waitForResponse((answer) => answer.status() === 402);
  await again.click();
  await answered;
  await inState(row, "failed").waitFor();

  const address = await rowOf(page, "talk.wav").getByRole("link").getAttribute("href");
  await trash(page, server, address?.split("/").at(-1) ?? "");
  await forgetDeleted(server);
  await again.click();
  await inState(row, "completed").waitFor();
});

test("finishes a dictation that uses up the quota, and keeps the next one in the browser", async () => {
  const { browser, server } = shared;
  await using visit = await openPage(browser);
  const { page } = visit;
  await openDropZone(page, server);
  await choose(page, await large());
  await inState(rowOf(page, "talk.wav"), "completed").waitFor();
  await page.getByRole("button", { name: "Start recording" }).click();
  await page
    .getByTestId("captions")
    .getByText(/please/i)
    .waitFor();
  await expect.poll(() => storedBytes(page, server)).toBeGreaterThan(1024 * 1024);
  await page.getByRole("button", { name: "Stop" }).click();
  await page.waitForURL(/\/transcription\//);
  await page.goBack();

  const start = page.getByRole("button", { name: "Start recording" });
  await start.waitFor();
  const before = await framesKept(page);
  const heard = await holdAnswers(page);
  await start.click();
  await expect.poll(() => framesKept(page)).toBeGreaterThan(before + 3);
  heard.resolve();
  await page.getByRole("alert").filter({ hasText: full }).waitFor();
  await page.reload();
  await page.getByText("You have an unfinished recording").waitFor();
});
