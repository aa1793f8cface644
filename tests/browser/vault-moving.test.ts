import { execFileSync } from "node:child_process";
import { mkdtemp, open, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { openBrowser, openPage, startParlance } from "./harness.ts";
import { drop, fixture, inState, openSpeech, rows } from "./harness-files.ts";
import { button, choose, heading, holds, listed, makeVault, signUpSubscribed, unlock } from "./harness-vault.ts";

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});
afterAll(() => browser?.close());

describe("a transcription", () => {
  test("moves into the vault with its text, is compared first, and leaves nothing readable on the server", async () => {
    await using server = await startParlance();
    await using visit = await openPage(browser, { expected: [/404/] });
    const { page } = visit;
    await signUpSubscribed(page, server);
    await openSpeech(page, server.url);
    await drop(page, [fixture("harbor.wav")]);
    await inState(rows(page), "completed").waitFor({ timeout: 60_000 });
    await rows(page).getByRole("link").click();
    await page.waitForURL(/\/transcription\/[\w-]+$/);
    const id = page.url().split("/").at(-1) ?? "";
    await page.getByRole("heading", { level: 1 }).waitFor();
    const segment = page.locator("[data-start]");
    await segment.first().waitFor();
    const words = (await segment.allTextContents()).slice(0, 6).join(" ").replace(/\s+/g, " ").trim();
    const sound = (await readFile(fixture("harbor.wav"))).subarray(100_000, 100_100);
    expect([await holds(server.dataDir, sound), words.length > 10]).toEqual([true, true]);

    await makeVault(page, server);
    await page.goto(new URL(`/encrypted-audio/${id}`, server.url).href);
    await unlock(page);
    await button(page, "Encrypt this recording").click();
    await button(page, "Decrypt, play and read").click();
    await page.getByRole("list", { name: "Transcript" }).getByText(words.split(" ").slice(0, 3).join(" ")).first().waitFor();
    await button(page, "Pause").waitFor();
    await page
      .getByRole("button", { name: /^Play from/ })
      .last()
      .click();
    await expect.poll(() => page.getByRole("slider").inputValue().then(Number)).toBeGreaterThan(1);

    for (const secret of [sound, words, "harbor.wav"])
      expect([String(secret).slice(0, 20), await holds(server.dataDir, secret)]).toEqual([String(secret).slice(0, 20), false]);
    expect([await readdir(join(server.dataDir, "audio")), await readdir(join(server.dataDir, "jobs"))]).toEqual([[], []]);
    await page.goto(new URL("/dashboard", server.url).href);
    await page.getByText("Nothing here yet").waitFor();
    await page.goto(new URL(`/encrypted-audio/${id}`, server.url).href);
    await unlock(page);
    await heading(page, "harbor").waitFor();
    await page.goto(new URL("/encrypted-audio/00000000-0000-4000-8000-000000000000", server.url).href);
    await unlock(page);
    await page.getByText("There is no such recording").waitFor();
  });
});

describe("a large file", () => {
  test("of 300 MB is encrypted, sent and decrypted piece by piece: the page's process grows by less than a third of it", async () => {
    await using own = await openBrowser();
    await using server = await startParlance();
    await using visit = await openPage(own);
    const { page } = visit;
    await signUpSubscribed(page, server);
    await makeVault(page, server);
    const size = 300_000_000;
    const path = await largeFile(size);
    const before = largestRenderer();
    let peak = before;
    const watch = setInterval(() => {
      peak = Math.max(peak, largestRenderer());
    }, 100);
    onTestFinished(() => clearInterval(watch));
    await page.locator("input[type=file]").setInputFiles(path);
    await listed(page).waitFor({ timeout: 120_000 });
    const sending = peak - before;
    const [file] = await Promise.all([
      page.waitForEvent("download", { timeout: 120_000 }),
      choose(listed(page), "Download decrypted"),
    ]);
    const saved = `${path}.back`;
    await file.saveAs(saved);
    clearInterval(watch);
    console.log(`sending: +${sending} MB, decrypting: +${peak - before} MB`);
    expect(sending).toBeLessThan(100);
    expect(peak - before).toBeLessThan(100);
    execFileSync("cmp", [path, saved]);
  });
});

async function largeFile(size: number): Promise<string> {
  const at = await mkdtemp(join(tmpdir(), "parlance-large-"));
  onTestFinished(() => rm(at, { recursive: true, force: true }));
  const path = join(at, "large.bin");
  await using file = await open(path, "w");
  const block = Buffer.alloc(1_000_000);
  for (let written = 0; written < size; written += block.length) {
    block.writeUInt32LE(written, 0);
    block.fill(written % 251, 4);
    await file.write(block);
  }
  return path;
}

/** The resident memory of the largest process in which a page runs, in MB. */
function largestRenderer(): number {
  const lines = execFileSync("ps", ["-eo", "rss=,args="], { encoding: "utf8", maxBuffer: 16e6 }).split("\n");
  const renderers = lines.filter((line) => line.includes("--type=renderer"));
  return Math.round(Math.max(0, ...renderers.map((line) => Number.parseInt(line, 10))) / 1000);
}
