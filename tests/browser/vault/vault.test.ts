import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Page } from "playwright";
import { describe, test } from "vitest";
import { enter, expect, openPage, sharedParlance } from "#tests/browser/harness.ts";
import { holds } from "#tests/browser/harness-data.ts";
import { fixture } from "#tests/browser/harness-files.ts";
import {
  button,
  choose,
  download,
  folder,
  heading,
  listed,
  makeVault,
  passphrase,
  subscribe,
  unlock,
  wordsIn,
} from "#tests/browser/harness-vault.ts";

const run = promisify(execFile);
const shared = sharedParlance({ browser: { microphone: { speaks: fixture("microphone.wav") } } });

/** The first characters of each piece that the browser stores during a recording. */
const keptPieces = (page: Page): Promise<string[]> =>
  page.evaluate(async () => {
    const opening = indexedDB.open("parlance-vault");
    await new Promise((resolve) => opening.addEventListener("success", resolve));
    const all = opening.result.transaction("pieces").objectStore("pieces").getAll();
    await new Promise((resolve) => all.addEventListener("success", resolve));
    return all.result.map((piece) => new TextDecoder().decode(piece).slice(0, 21));
  });

describe("the vault", () => {
  // PROMISE vault: The server holds nothing readable; the passphrase opens the vault again
  // PROMISE vault: `age -d` opens a recording without Parlance
  test("stores an interrupted recording that Debian's age can open, and keeps nothing readable on the server", {
    tags: "quick",
  }, async () => {
    const { browser, server } = shared;
    await using visit = await openPage(browser);
    const { page } = visit;
    subscribe(server, await enter(page, server));
    const recoveryKey = await makeVault(page, server);
    // Long enough for the whole of microphone.wav.
    await button(page, "Start recording").click();
    await page.getByText("0:09", { exact: true }).waitFor();
    expect([...new Set(await keptPieces(page))]).toEqual(["age-encryption.org/v1"]);
    page.on("dialog", (dialog) => void dialog.accept());
    await page.reload();
    await unlock(page);
    await page.getByText("You have an interrupted recording").waitFor();
    await button(page, "Save to the vault").click();
    await listed(page).waitFor();
    await expect(page.getByText("You have an interrupted recording")).toHaveCount(0);
    await choose(listed(page), "Rename");
    await page.getByLabel("Name", { exact: true }).fill("Call from Zanzibar");
    await page.keyboard.press("Enter");
    await listed(page).getByText("Call from Zanzibar", { exact: true }).waitFor();

    const other = await page.context().newPage();
    await other.goto(new URL("/encrypted-audio", server.url).href);
    await unlock(other);
    await heading(other, "In the vault").waitFor();
    await button(other, "Lock").click();
    await heading(page, "The vault is locked").waitFor();
    await other.close();
    await page.getByText(/^1 recording, /).waitFor();
    await expect(page.getByText("Zanzibar")).toHaveCount(0);
    await unlock(page);
    await button(listed(page), /^Play/).click();
    await button(page, "Pause").waitFor();
    await expect.poll(() => page.getByRole("slider").inputValue().then(Number)).toBeGreaterThan(0.5);
    // A browser's recording contains neither a length nor an index, but seeking works all the same.
    await page.getByRole("slider").fill("6");
    await expect.poll(() => page.getByRole("slider").inputValue().then(Number)).toBeGreaterThan(6.5);

    const at = await folder();
    const named = await download(page, () => choose(listed(page), "Download encrypted (.age)"), join(at, "call.age"));
    expect(named).toBe("Call from Zanzibar.age");
    await page.getByText("Open recordings without Parlance").click();
    await download(page, () => button(page, "Download key file").click(), join(at, "vault-key.age"));
    await writeFile(join(at, "recovery.txt"), `${recoveryKey}\n`);
    // Decrypts the same identity from the copy for the recovery key.
    const { vault } = await page.evaluate(async () => {
      const api = document.querySelector<HTMLMetaElement>("meta[name=parlance-api]")?.content;
      const headers = { Authorization: `Bearer ${localStorage.getItem("jwtToken")}` };
      return (await fetch(`${api}/api/v1/encrypted-audio`, { headers })).json();
    });
    await writeFile(join(at, "recovery.age"), vault.recoverySealed);
    await run("age", ["-d", "-i", join(at, "recovery.txt"), "-o", join(at, "identity.txt"), join(at, "recovery.age")]);
    await run("age", ["-d", "-i", join(at, "identity.txt"), "-o", join(at, "call.webm"), join(at, "call.age")]);
    const { stdout } = await run("ffprobe", ["-v", "error", "-show_entries", "stream=codec_name", join(at, "call.webm")]);
    expect(stdout).toContain("opus");
    expect(await wordsIn(join(at, "call.webm"))).toMatch(/^please/);
    expect(await readFile(join(at, "vault-key.age"), "utf8")).toBe(vault.sealed);

    const identity = (await readFile(join(at, "identity.txt"), "utf8")).trim();
    const sound = (await readFile(join(at, "call.webm"))).subarray(2000, 2100);
    for (const secret of [passphrase, identity, recoveryKey, "Zanzibar", "OpusHead", sound])
      expect([String(secret).slice(0, 12), await holds(server, secret)]).toEqual([String(secret).slice(0, 12), false]);
    const stored = await page.evaluate(() => JSON.stringify({ ...localStorage, ...sessionStorage }));
    for (const secret of [passphrase, identity, recoveryKey]) expect(stored).not.toContain(secret);
  });
});
