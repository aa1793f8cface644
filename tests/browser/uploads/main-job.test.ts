import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright";
import { describe, test } from "vitest";
import { expect, openPage, sharedParlance, signUp } from "#tests/browser/harness.ts";
import { microphoneEnd, microphoneText } from "#tests/fixtures/audio/texts.ts";

const speaks = fileURLToPath(new URL("../../fixtures/audio/microphone.wav", import.meta.url));
/** Reduces a text to lower-case letters and spaces. */
const plain = (text: string) => text.toLowerCase().replace(/[^a-z ]+/g, "");

// An ordinary Chromium, even if the other tests use the headless shell.
const shared = sharedParlance({ acrossFiles: true, browser: { microphone: { speaks }, shell: false } });

/** Dictates microphone.wav, and waits for the saved transcript. */
async function dictate(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Start speaking" }).first().click();
  await page.getByRole("button", { name: "Start recording" }).click();
  await page.getByTestId("captions").getByText(microphoneEnd).waitFor();
  await page.getByRole("button", { name: "Stop" }).click();
  await page.waitForURL(/\/transcription\/[\w-]+$/);
  await page.locator("[data-start]").first().waitFor();
}

const segments = (page: Page) => page.getByRole("list", { name: "Transcript" }).getByRole("listitem");

/**
 * Records the highlighted words in their order. Each word is highlighted for tenths of a second, so polling could miss
 * it.
 * @returns a function that reads the words
 */
async function spokenWords(page: Page): Promise<() => Promise<string[]>> {
  const words = await page.getByRole("list", { name: "Transcript" }).evaluateHandle((list) => {
    const seen: string[] = [];
    const note = () => {
      const word = list.querySelector("[data-start][class*=spoken]")?.textContent;
      if (word && word !== seen.at(-1)) seen.push(word);
    };
    new MutationObserver(note).observe(list, { subtree: true, childList: true, attributes: true, attributeFilter: ["class"] });
    return seen;
  });
  return () => words.jsonValue();
}

describe("the main job", () => {
  test("dictates a text, translates it into Spanish, finds it in the history, and exports it as subtitles", {
    tags: "quick",
  }, async () => {
    const { browser, server } = shared;
    await using visit = await openPage(browser);
    const { page } = visit;
    await signUp(page, server.url);

    await dictate(page);
    const said = (await page.locator("[data-start]").allTextContents()).join(" ");
    expect(said).toBe(microphoneText);

    await page.getByLabel("Actions", { exact: true }).click();
    await page.getByRole("combobox", { name: "Translate to" }).selectOption({ label: "Spanish" });
    await segments(page).locator("[lang=es]").getByText("hoy").waitFor();

    await page.getByRole("link", { name: "Dashboard" }).first().click();
    const rows = page.getByRole("list", { name: /^Transcripts/ }).getByRole("listitem");
    await rows.first().waitFor();
    await page.getByRole("searchbox").fill("  HOY ");
    await page.getByText("1 of 1").waitFor();
    await page.getByRole("searchbox").fill("nothing like it");
    await page.getByText("No results").waitFor();
    await page.getByRole("button", { name: "Clear filters" }).first().click();
    await rows.first().getByRole("link").click();

    await page.getByText("Export", { exact: true }).click();
    const [download] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Subtitles (.srt)" }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/\.srt$/);
    const srt = await readFile(await download.path(), "utf8");
    expect(srt).toMatch(/^1\r?\n00:00:0\d,\d{3} --> 00:00:0\d,\d{3}\r?\n/);
    expect(plain(srt.replace(/.*-->.*|^\d+$/gm, "").replace(/\s+/g, " "))).toContain("have time");
  });

  test("plays a transcript word by word, corrects, renames and deletes it, and restores it", async () => {
    const { browser, server } = shared;
    await using visit = await openPage(browser, {
      context: { permissions: ["microphone", "clipboard-read", "clipboard-write"] },
    });
    const { page } = visit;
    await signUp(page, server.url);
    await dictate(page);

    const spoken = await spokenWords(page);
    await page.locator("[data-start]", { hasText: /^when$/ }).click({ modifiers: ["Alt"] });
    await page.getByRole("button", { name: "Pause" }).waitFor();
    // The words follow in order from there; a short one may fall between two frames of a slow machine.
    await expect.poll(async () => (await spoken()).length).toBeGreaterThan(1);
    const words = await page.locator("[data-start]").allTextContents();
    const heard = await spoken();
    expect(heard[0]).toBe("when");
    expect(heard).toEqual(words.slice(words.indexOf("when")).filter((word) => heard.includes(word)));

    await segments(page)
      .first()
      .getByRole("button", { name: /^Correct/ })
      .click();
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.type("Please ring me when you have time.");
    await page.keyboard.press("Enter");
    await page.locator("[data-start]", { hasText: "ring" }).waitFor();

    await page.getByRole("button", { name: "Rename" }).click();
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.type("A call");
    await page.keyboard.press("Enter");
    const actions = page.getByLabel("Actions", { exact: true });
    await actions.click();
    await page.getByRole("button", { name: "Copy" }).click();
    await page.getByText("Copied.").waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toContain("Please ring me when you have time.");
    await page.reload();
    await page.getByRole("heading", { name: "A call", level: 1 }).waitFor();
    await expect(segments(page).first()).toContainText("Please ring me when you have time.");

    await actions.click();
    await page.getByRole("button", { name: "Delete", exact: true }).click();
    await page.getByText("How do you want to start?").waitFor();
    await page.getByText(/“A call” was moved to the trash/).waitFor();
    await page.getByRole("button", { name: "Undo" }).click();
    await page.getByRole("link", { name: "A call" }).waitFor();
  });
});

describe("the account's session", () => {
  // SPEC 2 Route guard: "stores the wanted path as a redirect target"
  // SPEC 4 Registration: "If the response carries an accessToken, the user is signed in"
  // SPEC 8: "Other login failures show the server message"
  // SPEC 1: "Sign-in is by e-mail and password"
  test("keeps a session over a reload, and ends it in every tab at the log-out", {
    tags: "quick",
  }, async () => {
    const { browser, server } = shared;
    await using visit = await openPage(browser);
    const { page } = visit;
    const { email, password } = await signUp(page, server.url);
    await page.reload();
    await page.getByRole("heading", { name: "Dashboard" }).waitFor();

    const other = await page.context().newPage();
    await other.goto(new URL("/speech-to-text", server.url).href);
    await other.getByRole("button", { name: "Start recording" }).waitFor();
    await page.getByRole("button", { name: "Log out" }).first().click();
    await page.waitForURL(/\/signin$/);
    await other.waitForURL(/\/signin$/);
    await other.close();

    await page.goto(new URL("/speech-to-text", server.url).href);
    await page.waitForURL(/\/signin$/);
    const form = page.locator("form");
    await form.getByLabel("E-mail").fill(email);
    await form.getByLabel("Password").fill("not the password");
    visit.expect(/401/);
    await form.getByRole("button", { name: "Sign in" }).click();
    await page.getByText("Wrong e-mail or password").waitFor();
    await form.getByLabel("Password").fill(password);
    await form.getByRole("button", { name: "Sign in" }).click();
    await page.waitForURL(/\/speech-to-text$/);
  });
});
