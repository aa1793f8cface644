import { execFile } from "node:child_process";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Page } from "playwright-core";
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
  openVault,
  passphrase,
  signUpSubscribed,
  subscribe,
  tamper,
  unlock,
  wordsIn,
} from "#tests/browser/harness-vault.ts";

const run = promisify(execFile);
const shared = sharedParlance({ browser: { microphone: { speaks: fixture("microphone.wav") } } });

/** Says what microphone.wav says, once. */
async function record(page: Page, seconds = 9): Promise<void> {
  await button(page, "Start recording").click();
  await page.getByText(`0:0${seconds}`, { exact: true }).waitFor();
  await button(page, "Stop").click();
}

describe("a subscriber", () => {
  // PROMISE vault: The server holds nothing readable; the passphrase opens the vault again
  // PROMISE vault: `age -d` opens a recording without Parlance
  test("records into the vault, reloads, unlocks and plays; Debian's age opens it, and the server holds nothing readable", {
    tags: "quick",
  }, async () => {
    const { browser, server } = shared;
    await using visit = await openPage(browser);
    const { page } = visit;
    subscribe(server, await enter(page, server));
    const recoveryKey = await makeVault(page, server);
    await record(page);
    await listed(page).waitFor();
    await choose(listed(page), "Rename");
    await page.getByLabel("Name").fill("Call from Zanzibar");
    await page.keyboard.press("Enter");
    await listed(page).getByText("Call from Zanzibar", { exact: true }).waitFor();

    await page.reload();
    await page.getByText("There is 1 recording in it").waitFor();
    await expect(page.getByText("Zanzibar")).toHaveCount(0);
    await unlock(page);
    await button(listed(page), /^Play/).click();
    await button(page, "Pause").waitFor();
    await expect.poll(() => page.getByRole("slider").inputValue().then(Number)).toBeGreaterThan(0.5);
    // What a browser records has no length in it, and no index: it can be gone through all the same.
    await page.getByRole("slider").fill("6");
    await expect.poll(() => page.getByRole("slider").inputValue().then(Number)).toBeGreaterThan(6.5);

    const at = await folder();
    const named = await download(page, () => choose(listed(page), "Download encrypted (.age)"), join(at, "call.age"));
    expect(named).toBe("Call from Zanzibar.age");
    await page.getByText("Open recordings without Parlance").click();
    await download(page, () => button(page, "Download the key file").click(), join(at, "vault-key.age"));
    await writeFile(join(at, "recovery.txt"), `${recoveryKey}\n`);
    // The same identity comes out of the copy that was sealed for the recovery key.
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

  test("with a wrong passphrase sees that and can type again at once; what was tampered with is not played", async () => {
    const { browser, server } = shared;
    await using visit = await openPage(browser);
    const { page } = visit;
    await openVault(page, server);
    await page.locator("input[type=file]").setInputFiles([fixture("harbor.mp3"), fixture("harbor.ogg")]);
    await expect(listed(page)).toHaveCount(2);
    await button(page, "Lock").click();
    await unlock(page, "not the right words");
    await page.getByText("This is not the passphrase.").first().waitFor();
    await expect(page.locator(":focus")).toHaveAttribute("type", "password");
    await page.keyboard.type(passphrase);
    await page.keyboard.press("Enter");
    await expect(listed(page)).toHaveCount(2);

    const item = listed(page).filter({ hasText: "harbor.mp3" });
    const { size } = await tamper(page, server, 45_000);
    expect(size).toBeGreaterThan(44_000);
    await button(item, /^Play/).click();
    await item.getByText("it was damaged or tampered with").waitFor();
    await expect(button(page, "Pause")).toHaveCount(0);
    await choose(item, "Delete");
    await page.getByRole("dialog").getByRole("button", { name: "Delete" }).click();
    await expect(listed(page)).toHaveCount(1);
    await button(listed(page), /^Play/).click();
    await button(page, "Pause").waitFor();
  });

  // PROMISE vault: Only the recovery key replaces a forgotten passphrase
  test("changes the passphrase, forgets it, and comes back with the recovery key", async () => {
    const { browser, server } = shared;
    await using visit = await openPage(browser);
    const { page } = visit;
    const recoveryKey = await openVault(page, server);
    await page.locator("input[type=file]").setInputFiles(fixture("harbor.mp3"));
    await listed(page).waitFor();
    await page.getByText("Change the passphrase").click();
    const change = async (present: string, next: string) => {
      await page.getByLabel("Present passphrase").fill(present);
      await page.getByLabel("New passphrase").fill(next);
      await page.getByLabel("Once more").fill(next);
      await button(page, "Change it").click();
    };
    await change("something else entirely", "another horse battery");
    await page.getByText("This is not the passphrase.").waitFor();
    await change(passphrase, "another horse battery");
    await page.getByText("The passphrase was changed.").waitFor();
    await button(page, "Lock").click();
    await unlock(page, passphrase);
    await page.getByText("This is not the passphrase.").first().waitFor();

    await page.getByText("Passphrase forgotten?").click();
    await page.getByLabel("Recovery key").fill("AGE-SECRET-KEY-1WRONG");
    await button(page, "Open with the recovery key").click();
    await page.getByText("This is not the recovery key of this vault.").waitFor();
    await page.getByLabel("Recovery key").fill(` ${recoveryKey.toLowerCase()} `);
    await page.keyboard.press("Enter");
    await heading(page, "Choose a new passphrase").waitFor();
    await page.getByRole("textbox", { name: "Passphrase" }).fill("short");
    await button(page, "Set the passphrase").click();
    await page.getByText("This is too easy to guess.").waitFor();
    await page.getByRole("textbox", { name: "Passphrase" }).fill("a third one at last");
    await page.getByLabel("Once more").fill("a third one at last");
    await button(page, "Set the passphrase").click();
    await listed(page).getByText("harbor.mp3", { exact: true }).waitFor();
    await page.reload();
    await unlock(page, "a third one at last");
    await listed(page).getByText("harbor.mp3", { exact: true }).waitFor();
  });
});

describe("the vault is locked", () => {
  // PROMISE vault: The key is gone after fifteen minutes and at logout, in all tabs
  test("after fifteen minutes in which nobody was there, in every tab at once, and on logging out", async () => {
    const { browser, server } = shared;
    await using visit = await openPage(browser);
    const { page } = visit;
    await page.clock.install();
    await openVault(page, server);
    await page.clock.runFor(14 * 60_000);
    await page.keyboard.press("Shift");
    await page.clock.runFor(14 * 60_000);
    await heading(page, "In the vault").waitFor();
    await page.clock.runFor(2 * 60_000);
    await page.getByText("nobody used it for 15 minutes").waitFor();
    await unlock(page);
    await heading(page, "In the vault").waitFor();

    const other = await page.context().newPage();
    await other.goto(new URL("/encrypted-audio", server.url).href);
    await unlock(other);
    await heading(other, "In the vault").waitFor();
    await button(other, "Lock").click();
    await heading(page, "The vault is locked").waitFor();
    await unlock(page);
    await heading(page, "In the vault").waitFor();
    await button(other, "Log out").first().click();
    await page.waitForURL(/\/signin$/);
    await other.close();
  });

  test("for another person, who finds a vault of their own to be made", async () => {
    const { browser, server } = shared;
    await using visit = await openPage(browser);
    const { page } = visit;
    await openVault(page, server);
    await page.locator("input[type=file]").setInputFiles(fixture("harbor.mp3"));
    await listed(page).waitFor();
    await button(page, "Log out").first().click();
    await page.waitForURL(/\/signin$/);
    await signUpSubscribed(page, server);
    await page.evaluate(() => history.pushState(null, "", "/encrypted-audio"));
    await page.goto(new URL("/encrypted-audio", server.url).href);
    await heading(page, "Make your vault").waitFor();
    await expect(page.getByText("harbor.mp3")).toHaveCount(0);
  });
});

describe("nothing is lost", () => {
  test("of a recording that a reload cuts off: it waits in the browser, encrypted, until the vault is open", async () => {
    const { browser, server } = shared;
    await using visit = await openPage(browser);
    const { page } = visit;
    await openVault(page, server);
    await button(page, "Start recording").click();
    await page.getByText("0:06", { exact: true }).waitFor();
    const kept = await page.evaluate(async () => {
      const opening = indexedDB.open("parlance-vault");
      await new Promise((resolve) => opening.addEventListener("success", resolve));
      const all = opening.result.transaction("pieces").objectStore("pieces").getAll();
      await new Promise((resolve) => all.addEventListener("success", resolve));
      return all.result.map((piece) => new TextDecoder().decode(piece).slice(0, 21));
    });
    expect([...new Set(kept)]).toEqual(["age-encryption.org/v1"]);
    page.on("dialog", (dialog) => void dialog.accept());
    await page.reload();
    await unlock(page);
    await page.getByText("A recording was cut off").waitFor();
    await button(page, "Put it into the vault").click();
    await listed(page).waitFor();
    await expect(page.getByText("A recording was cut off")).toHaveCount(0);
    await button(listed(page), /^Play/).click();
    await button(page, "Pause").waitFor();
  });

  test("of a recording in whose middle the vault is locked: it ends there, and is put in all the same", async () => {
    const { browser, server } = shared;
    await using visit = await openPage(browser);
    const { page } = visit;
    await openVault(page, server);
    await button(page, "Start recording").click();
    await page.getByText("0:03", { exact: true }).waitFor();
    await button(page, "Lock").click();
    await page.getByText("There is 1 recording in it").waitFor();
    await unlock(page);
    // The lock may have come a second or more later than what the page said.
    await listed(page)
      .getByText(/^0:(0[3-9]|[1-5]\d)$/)
      .waitFor();
  });
});
