import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Locator } from "playwright";
import { afterAll, beforeAll, describe, test } from "vitest";
import { expect, openPage, sharedParlance } from "#tests/browser/harness.ts";
import { drop, fixture, inState, longTalk, openDropZone, rows, throttle, transcriptionOf } from "#tests/browser/harness-files.ts";
import { talkSentences } from "#tests/fixtures/audio/texts.ts";

// The server is killed, or a file changes during its upload. Every format: tests/server/speech/decode.test.ts.

const spoken = (text: string) => text.toLowerCase().replace(/[^a-z0-9$ ]+/g, "");
/** Console errors when the server is gone. */
const serverAway = /Failed to load resource: net::ERR_/;

const shared = sharedParlance();
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "parlance-files-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** The progress bar's value in percent; 0 while it is unknown. */
const percentOf = async (row: Locator) => Number((await row.getByRole("progressbar").getAttribute("aria-valuenow")) ?? 0);

describe("uploaded file", () => {
  test("the uploaded file is transcribed although the server is killed during upload and processing", async () => {
    const { browser, server } = shared;
    await using visit = await openPage(browser, { expected: [serverAway] });
    const { page } = visit;
    await openDropZone(page, server);
    await throttle(page, 350_000);

    // Several pieces long: a file of one or two pieces would show no progress in between.
    const times = 3;
    await page.locator("input[type=file]").setInputFiles(await longTalk(folder, times));
    const row = rows(page);
    await inState(row, "uploading").waitFor();
    await expect.poll(() => percentOf(row)).toBeGreaterThan(15);
    await server.kill();
    await inState(row, "waitingForServer").waitFor();
    await expect(row).toContainText("continues automatically");

    await throttle(page, -1);
    await server.restart();
    await inState(row, "processing").waitFor();
    await expect.poll(() => percentOf(row)).toBeGreaterThan(20);
    await server.kill();
    await server.restart();
    await inState(row, "completed").waitFor();
    expect(spoken((await row.textContent()) ?? "")).toContain(spoken(talkSentences[0]));

    await row.getByRole("link").click();
    await page.locator("[data-start]").first().waitFor();
    const { segments } = await transcriptionOf(page, server.apiUrl, new URL(page.url()).pathname.split("/").at(-1) ?? "");
    const words = segments.flatMap((segment) => segment.words);
    const all = Array<string>(times).fill(talkSentences.join(" ")).join(" ");
    expect(spoken(words.map(({ text }) => text).join(" "))).toBe(spoken(all));
    expect(words.map(({ start }) => start)).toEqual(words.map(({ start }) => start).toSorted((a, b) => a - b));
    expect(words.at(-1)?.start).toBeGreaterThan(27 * (times - 1));
  });

  test("reports a file that changes during the upload instead of retrying forever", async () => {
    const { browser, server } = shared;
    await using visit = await openPage(browser, { expected: [/ERR_UPLOAD_FILE_CHANGED|ERR_FAILED/] });
    const { page } = visit;
    await openDropZone(page, server);
    await throttle(page, 60_000);
    const path = join(folder, "changing.wav");
    await copyFile(fixture("talk.wav"), path);
    await drop(page, [path]);
    const row = rows(page);
    await expect.poll(() => percentOf(row)).toBeGreaterThan(5);
    await copyFile(fixture("harbor.wav"), path);
    await inState(row, "failed").waitFor();
    await expect(row).toContainText("The file can’t be read");
  });
});
