import { copyFile, mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser, Page, Request } from "playwright";
import { afterAll, beforeAll, describe, onTestFinished, test } from "vitest";
import { partBytes } from "#src/api/uploads.ts";
import { expect, openPage, type Parlance, sharedBrowser, startParlance } from "#tests/browser/harness.ts";
import { drop, fixture, inState, openDropZone, rows, throttle, transcriptionOf } from "#tests/browser/harness-files.ts";
import { type Line, openLine } from "#tests/browser/harness-line.ts";
import { harborText, marketText } from "#tests/fixtures/audio/texts.ts";

// Interrupted uploads; interrupted by a killed server: upload.test.ts in this folder. The protocol:
// tests/server/uploads/tus.test.ts.

const spoken = (text: string) => text.toLowerCase().replace(/[^a-z0-9$ ]+/g, "");
/** Console errors when the connection is cut and when the session has expired. */
const cuts = /Failed to load resource: (net::ERR_|the server responded with a status of 401)/;

let browser: Browser;
let line: Line;
let server: Parlance;
beforeAll(async () => {
  browser = await sharedBrowser();
  line = await openLine();
  server = await startParlance({ env: line.env });
});
afterAll(async () => {
  await server?.stop();
  await line?.[Symbol.asyncDispose]();
});

async function temporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "parlance-resume-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** Records where each sent part begins, and the new uploads. */
function watchParts(page: Page) {
  const offsets: number[] = [];
  const beginnings: string[] = [];
  page.on("request", (request: Request) => {
    if (!request.url().includes("/api/v1/uploads")) return;
    if (request.method() === "PATCH") offsets.push(Number(request.headers()["upload-offset"]));
    if (request.method() === "POST") beginnings.push(request.url());
  });
  return { offsets, beginnings };
}

/** Sent part of the file in percent, as the row's bar shows it. */
const percentOf = async (page: Page) =>
  Number((await rows(page).getByRole("progressbar").first().getAttribute("aria-valuenow")) ?? 0);
/** Waits until this much more of the file is sent, in percent, so that each interrupted part has sent something. */
async function advanced(page: Page, percent: number): Promise<void> {
  const before = await percentOf(page);
  await expect.poll(() => percentOf(page)).toBeGreaterThanOrEqual(before + percent);
}

// PROMISE uploads: An upload goes on where it stopped, for seven days
test("resumes an upload after four interruptions, and transcribes it correctly", async () => {
  await using visit = await openPage(browser, { expected: [cuts] });
  const { page } = visit;
  await openDropZone(page, server);
  await throttle(page, 35_000);
  const { offsets, beginnings } = watchParts(page);
  const path = fixture("harbor.wav");
  const { size } = await stat(path);
  await drop(page, [path]);
  const row = rows(page);
  await advanced(page, 10);

  // 1. The connection is cut.
  line.cut();
  await inState(row, "waitingForServer").waitFor();
  line.mend();
  await inState(row, "uploading").waitFor();
  await advanced(page, 12);

  // 2. The user pauses and resumes.
  await row.getByRole("button", { name: /^Pause/ }).press("Enter");
  await inState(row, "paused").waitFor();
  await row.getByRole("button", { name: "Resume" }).press("Enter");
  await inState(row, "uploading").waitFor();
  await advanced(page, 12);

  // 3. The session expires: the next part is answered with 401, and a new token is fetched.
  await page.route(
    "**/api/v1/uploads/*",
    (route) => route.fulfill({ status: 401, json: { message: "expired", code: "unauthorized" } }),
    {
      times: 1,
    },
  );
  await row.getByRole("button", { name: /^Pause/ }).press("Enter");
  const refreshed = page.waitForResponse((answer) => answer.url().endsWith("/auth/refresh") && answer.ok());
  await row.getByRole("button", { name: "Resume" }).press("Enter");
  await refreshed;
  await inState(row, "uploading").waitFor();
  await advanced(page, 12);

  // 4. The page is reloaded: the browser has stored the file.
  page.on("dialog", (dialog) => void dialog.accept());
  await page.reload();
  await throttle(page, 400_000);
  await inState(row, "completed").waitFor();
  const address = await row.getByRole("link").getAttribute("href");
  const { text } = await transcriptionOf(page, server.apiUrl, address?.split("/").at(-1) ?? "");
  expect(spoken(text.replaceAll("\n", " "))).toBe(spoken(harborText));

  expect(beginnings).toHaveLength(1);
  expect(offsets.length).toBeGreaterThanOrEqual(5);
  // Each part begins at the server's offset: only bytes on their way during a cut are sent twice.
  expect(offsets).toEqual(offsets.toSorted((a, b) => a - b));
  expect(new Set(offsets).size).toBe(offsets.length);
  expect(offsets.at(-1)).toBeGreaterThan(size * 0.4);
  expect(size).toBeLessThan(partBytes);
});

describe("upload without its file after a reload", () => {
  /** Acts like a browser whose storage is full. */
  const withoutRoom = (page: Page) =>
    page.addInitScript(() => {
      navigator.storage.estimate = async () => ({ quota: 0, usage: 0 });
    });

  test("asks for the file, and continues with the same one", async () => {
    await using visit = await openPage(browser, { expected: [cuts] });
    const { page } = visit;
    await withoutRoom(page);
    page.on("dialog", (dialog) => void dialog.accept());
    await openDropZone(page, server);
    await throttle(page, 60_000);
    const { offsets, beginnings } = watchParts(page);
    await page.locator("input[type=file]").first().setInputFiles(fixture("harbor.wav"));
    const row = rows(page);
    await advanced(page, 20);
    await page.reload();
    await inState(row, "missing").waitFor();
    await throttle(page, -1);
    const asks = page.getByRole("status").filter({ hasText: /^1 unfinished upload: choose the same file to continue\.$/ });
    await expect(asks).toHaveCount(1);

    const choosing = page.waitForEvent("filechooser");
    await row.getByRole("button", { name: /Choose the same file/ }).click();
    await (await choosing).setFiles(fixture("harbor.wav"));
    await inState(row, "completed").waitFor();
    expect(spoken((await row.textContent()) ?? "")).toContain(spoken(harborText));
    expect([beginnings.length, offsets[0]]).toEqual([1, 0]);
    expect(offsets.at(-1)).toBeGreaterThan(0);
  });

  test("starts over with a changed file", async () => {
    await using visit = await openPage(browser, { expected: [cuts] });
    const { page } = visit;
    await withoutRoom(page);
    page.on("dialog", (dialog) => void dialog.accept());
    const path = join(await temporaryFolder(), "talk.wav");
    await copyFile(fixture("harbor.wav"), path);
    await openDropZone(page, server);
    await throttle(page, 60_000);
    await page.locator("input[type=file]").first().setInputFiles(path);
    const row = rows(page);
    await advanced(page, 10);
    await page.reload();
    await inState(row, "missing").waitFor();
    await throttle(page, -1);
    await copyFile(fixture("market.wav"), path);
    const choosing = page.waitForEvent("filechooser");
    await row.getByRole("button", { name: /Choose the same file/ }).click();
    await (await choosing).setFiles(path);
    await inState(row, "completed").waitFor();
    await expect(rows(page)).toHaveCount(1);
    expect(spoken((await row.textContent()) ?? "")).toContain(spoken(marketText));
    await page.reload();
    await page.getByTestId("drop-zone").waitFor();
    await expect(rows(page)).toHaveCount(0);
  });
});
