// The memory that a page needs to move a large file into the vault and out of it. Run: npm run bench -- vault
import { mkdtemp, open, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CDPSession } from "playwright";
import { openBrowser, openPage } from "#tests/browser/harness-browser.ts";
import { startParlance } from "#tests/browser/harness-server.ts";
import { choose, listed, makeVault, signUpSubscribed } from "#tests/browser/harness-vault.ts";
import { type Figure, report } from "./figures.ts";

/** The file's size in megabytes; VAULT_MB sets another one. The limit is the same for every size. */
const megabytes = Number(process.env.VAULT_MB ?? 400);
const limit = 350;
/** Milliseconds. */
const timeoutMs = 10 * 60_000;

async function largeFile(path: string): Promise<void> {
  await using file = await open(path, "w");
  const block = Buffer.alloc(1_000_000);
  for (let written = 0; written < megabytes; written += 1) {
    block.fill(written % 251);
    block.writeUInt32LE(written, 0);
    await file.write(block);
  }
}

/** The resident memory, in megabytes, of the largest process that renders a page of this browser. */
async function largestRenderer(devtools: CDPSession): Promise<number> {
  const { processInfo } = await devtools.send("SystemInfo.getProcessInfo");
  const sizes = processInfo.map(async ({ id, type }) => {
    if (type !== "renderer") return 0;
    const status = await readFile(`/proc/${id}/status`, "utf8").catch(() => "");
    return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1000;
  });
  return Math.max(...(await Promise.all(sizes)));
}

/** The growth of the page's process to its peak, and the duration of the work in seconds. */
async function measured(devtools: CDPSession, work: () => Promise<unknown>): Promise<{ grown: number; seconds: number }> {
  const before = await largestRenderer(devtools);
  let peak = before;
  const watch = setInterval(async () => {
    peak = Math.max(peak, await largestRenderer(devtools).catch(() => 0));
  }, 100);
  const from = performance.now();
  try {
    await work();
  } finally {
    clearInterval(watch);
  }
  return { grown: peak - before, seconds: (performance.now() - from) / 1000 };
}

const figure = (name: string, { grown, seconds }: { grown: number; seconds: number }): Figure => ({
  name: `Memory while a file of ${megabytes} MB is ${name}`,
  value: `+${Math.round(grown)} MB, ${(megabytes / seconds).toFixed(0)} MB/s`,
  limit: `${limit} MB`,
  ok: grown <= limit,
});

const folder = await mkdtemp(join(tmpdir(), "parlance-bench-vault-"));
try {
  await using parlance = await startParlance();
  await using browser = await openBrowser();
  const { page } = await openPage(browser);
  const devtools = await browser.newBrowserCDPSession();
  await signUpSubscribed(page, parlance);
  await makeVault(page, parlance);
  const path = join(folder, "large.bin");
  await largeFile(path);
  const sent = await measured(devtools, async () => {
    await page.locator("input[type=file]").setInputFiles(path);
    await listed(page).waitFor({ timeout: timeoutMs });
  });
  const opened = await measured(devtools, async () => {
    const [file] = await Promise.all([
      page.waitForEvent("download", { timeout: timeoutMs }),
      choose(listed(page), "Download decrypted"),
    ]);
    await file.path();
  });
  report([figure("encrypted and sent", sent), figure("fetched and decrypted", opened)]);
} finally {
  await rm(folder, { recursive: true, force: true });
}
