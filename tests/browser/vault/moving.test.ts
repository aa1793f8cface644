import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, test } from "vitest";
import { expect, openPage, sharedParlance } from "#tests/browser/harness.ts";
import { holds } from "#tests/browser/harness-data.ts";
import { drop, fixture, inState, openSpeech, rows } from "#tests/browser/harness-files.ts";
import { button, heading, openVault, unlock } from "#tests/browser/harness-vault.ts";

const shared = sharedParlance();

describe("a move into the vault", () => {
  // PROMISE vault: A transcription is compared before it moves, and leaves nothing readable behind
  test("compares a transcription before it moves into the vault, and leaves nothing readable on the server", async () => {
    const { browser, server } = shared;
    await using visit = await openPage(browser, { expected: [/404/] });
    const { page } = visit;
    await openVault(page, server);
    await openSpeech(page, server.url);
    await drop(page, [fixture("market.wav")]);
    await inState(rows(page), "completed").waitFor();
    await rows(page).getByRole("link").click();
    await page.waitForURL(/\/transcription\/[\w-]+$/);
    const id = page.url().split("/").at(-1) ?? "";
    await page.getByRole("heading", { level: 1 }).waitFor();
    const segment = page.locator("[data-start]");
    await segment.first().waitFor();
    const words = (await segment.allTextContents()).slice(0, 6).join(" ").replace(/\s+/g, " ").trim();
    const sound = (await readFile(fixture("market.wav"))).subarray(30_000, 30_100);
    expect([await holds(server, sound), words.length > 10]).toEqual([true, true]);

    await page.goto(new URL(`/encrypted-audio/${id}`, server.url).href);
    await unlock(page);
    await button(page, "Encrypt this recording").click();
    await page.getByRole("list", { name: "Transcript" }).getByText(words.split(" ").slice(0, 3).join(" ")).first().waitFor();
    await button(page, "Play").click();
    await button(page, "Pause").waitFor();
    await page
      .getByRole("button", { name: /^Play from/ })
      .last()
      .click();
    await expect.poll(() => page.getByRole("slider").inputValue().then(Number)).toBeGreaterThan(1);

    for (const secret of [sound, words, "market.wav"])
      expect([String(secret).slice(0, 20), await holds(server, secret)]).toEqual([String(secret).slice(0, 20), false]);
    expect([await readdir(join(server.dataDir, "audio")), await readdir(join(server.dataDir, "jobs"))]).toEqual([[], []]);
    await page.goto(new URL("/dashboard", server.url).href);
    await page.getByText("How do you want to start?").waitFor();
    await page.goto(new URL(`/encrypted-audio/${id}`, server.url).href);
    await unlock(page);
    await heading(page, "market").waitFor();
    await page.goto(new URL("/encrypted-audio/00000000-0000-4000-8000-000000000000", server.url).href);
    await unlock(page);
    await page.getByText("This recording was not found, neither in your vault nor among your transcripts").waitFor();
  });
});
