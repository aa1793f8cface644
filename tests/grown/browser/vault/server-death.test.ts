import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "vitest";
import { expect, openPage, sharedParlance } from "#tests/browser/harness.ts";
import { throttle } from "#tests/browser/harness-files.ts";
import { choose, download, folder, listed, openVault } from "#tests/browser/harness-vault.ts";

// Connections are cut and servers killed while the vault is written; the main path: tests/browser/vault/vault.test.ts.

const serverAway = /ERR_|Failed to load resource/;
const shared = sharedParlance();

describe("vault upload during a crash", () => {
  test("a vault upload resumes after the server's crash without starting over", async () => {
    const { browser, server } = shared;
    await using visit = await openPage(browser, { expected: [serverAway] });
    const { page } = visit;
    await openVault(page, server);
    const big = join(await folder(), "noise.bin");
    const size = 8_000_000;
    await writeFile(big, Buffer.alloc(size, "noise in pieces"));
    await throttle(page, 1_000_000);
    const offsets: number[] = [];
    let isSlow = false;
    await page.route(/content\?offset=\d+/, async (route) => {
      const offset = Number(/\d+$/.exec(route.request().url())?.[0]);
      // Slows down the rest until the kill, because this process may get no processor time for seconds.
      if (offset > 2_000_000 && !isSlow) {
        isSlow = true;
        await throttle(page, 50_000);
      }
      offsets.push(offset);
      await route.continue();
    });
    await page.locator("input[type=file]").setInputFiles(big);
    await expect.poll(() => offsets.length).toBeGreaterThan(2);
    await server.kill();
    await page.getByText("Connection lost. The upload continues automatically.").waitFor();
    await throttle(page, -1);
    await server.restart();
    const before = offsets.length;
    await listed(page).waitFor();
    expect(offsets.slice(before)[0]).toBeGreaterThan(1_000_000);
    const at = await folder();
    await download(page, () => choose(listed(page), "Download decrypted"), join(at, "back.bin"));
    expect((await readFile(join(at, "back.bin"))).equals(await readFile(big))).toBe(true);
  });
});
