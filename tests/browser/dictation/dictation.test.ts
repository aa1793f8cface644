import { fileURLToPath } from "node:url";
import type { Page } from "playwright-core";
import { describe, test } from "vitest";
import {
  type BrowserOptions,
  expect,
  openBrowser,
  openPage,
  openSignedIn,
  sharedPage,
  sharedParlance,
} from "#tests/browser/harness.ts";
import { microphoneEnd, microphoneText } from "#tests/fixtures/audio/texts.ts";

const speaks = fileURLToPath(new URL("../../fixtures/audio/microphone.wav", import.meta.url));
const captions = (page: Page) => page.getByTestId("captions");
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
/** What a browser says of a server that is gone, or that it can't reach. */
const serverAway = /ERR_|WebSocket connection|Failed to load resource/;

/** Opens the history's newest transcript, and waits until it says all that was spoken, and no more. */
async function expectSaved(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Open the transcript" }).first().click();
  const words = async () => (await page.locator("[data-start]").allTextContents()).join(" ");
  await expect.poll(words).toBe(microphoneText);
}

const shared = sharedParlance({ browser: { microphone: { speaks } } });
const pages = sharedPage(shared);
const path = "/speech-to-text";

describe("no word is lost", () => {
  test("when the server is killed in the middle of a sentence and comes back", async () => {
    const { server } = shared;
    const { page } = await pages.begin(path, [serverAway]);
    await button(page, "Start recording").click();
    // The first word alone: what is heard while somebody speaks may still change.
    await captions(page)
      .getByText(/please/i)
      .waitFor();
    await server.kill();
    await page.getByText("The connection is lost.").waitFor();
    await page.getByText(/^0:\d\d of sound is kept in this browser\.$/).waitFor();
    await server.restart();
    await captions(page).getByText(microphoneEnd).waitFor();
    await button(page, "Stop").click();
    await expectSaved(page);
  });

  test("when the tab is reloaded in the middle of a sentence: what was said is offered back", async () => {
    const { page } = await pages.begin(path, [serverAway]);
    await button(page, "Start recording").click();
    await captions(page).getByText(microphoneEnd).waitFor();
    page.on("dialog", (dialog) => void dialog.accept());
    await page.reload();
    await page.getByText("A recording was not finished").waitFor();
    await button(page, "Finish it").click();
    await expectSaved(page);
    await page.getByRole("link", { name: "Speech to text" }).first().click();
    await button(page, "Start recording").waitFor();
    await expect(page.getByText("A recording was not finished")).toHaveCount(0);
  });

  test("when it can't be saved: it waits in the browser and is saved when the server is back", async () => {
    const { page } = await pages.begin(path, [serverAway, /500/]);
    const saving = "**/save-final-transcription";
    await page.route(saving, (route) => route.fulfill({ status: 500, json: { message: "no", code: "internal" } }));
    await button(page, "Start recording").click();
    await captions(page).getByText(microphoneEnd).waitFor();
    await button(page, "Stop").click();
    await page
      .getByText(/could not be saved yet/)
      .first()
      .waitFor();
    const kept = await page.evaluate(() => localStorage.getItem("transcriptions"));
    expect(kept).toContain("have time");
    await page.unroute(saving);
    await page.reload();
    await page.getByRole("link", { name: "Dashboard" }).first().click();
    await page.getByRole("link", { name: /have time/i }).waitFor();
    await expect.poll(() => page.evaluate(() => localStorage.getItem("transcriptions"))).toBeNull();
  });
});

describe("while somebody speaks, on a telephone", () => {
  test("the newest words stay in sight with one bar below them; a pause records nothing; older words are a scroll away", async () => {
    const { page } = await pages.begin(path);
    await page.setViewportSize({ width: 390, height: 600 });
    await button(page, "Start recording").click();
    await expect(page.getByLabel("Spoken language")).toBeHidden();
    await expect(page.getByTestId("drop-zone")).toBeHidden();
    await expect(button(page, "Stop")).toBeFocused();
    const words = captions(page).locator("p").filter({ hasText: /call/i }).last();
    await words.waitFor();
    await expect(words).toBeInViewport({ ratio: 1 });
    await expect(button(page, "Stop")).toBeInViewport({ ratio: 1 });
    await expect.poll(() => page.evaluate(() => document.documentElement.scrollHeight - innerHeight)).toBe(0);

    await button(page, "Pause").click();
    await page.getByText("Paused: nothing is recorded.").waitFor({ state: "attached" });
    const clock = page.getByRole("region", { name: "Speak" }).getByText(/^\d:\d\d$/);
    const stopped = await clock.textContent();
    await button(page, "Go on").click();
    await expect(clock).not.toHaveText(stopped ?? "");

    // Larger letters than there is room for: what is above can be read, and a button leads back.
    await captions(page).evaluate((box) => {
      box.style.fontSize = "6rem";
      box.scrollTop = box.scrollHeight;
    });
    const above = () => captions(page).evaluate((box) => box.scrollTop);
    const below = () => captions(page).evaluate((box) => box.scrollHeight - box.scrollTop - box.clientHeight);
    await expect.poll(above).toBeGreaterThan(100);
    await expect.poll(below).toBeLessThan(2);
    await captions(page).hover();
    await page.mouse.wheel(0, -2000);
    await expect.poll(above).toBe(0);
    await button(page, "Back to now").click();
    await expect.poll(below).toBeLessThan(2);
    await expect(button(page, "Back to now")).toHaveCount(0);
    await expect(captions(page)).toBeFocused();

    await button(page, "Stop").click();
    const open = page.getByRole("link", { name: "Open the transcript" });
    await open.waitFor();
    await page.keyboard.press("Shift+Tab");
    await expect(open).toBeFocused();
    await page.getByText("A new recording becomes a transcript of its own.").waitFor();
    await page.setViewportSize({ width: 1200, height: 800 });
  });
});

describe("a microphone", () => {
  test.each([
    ["refused", "The microphone is not allowed."],
    ["missing", "There is no microphone."],
  ] as const)("that is %s: the page says what to do", async (microphone: NonNullable<BrowserOptions["microphone"]>, hint) => {
    await using browser = await openBrowser({ microphone });
    await using visit = await openPage(browser);
    const { page } = visit;
    await openSignedIn(page, shared.server, path);
    await button(page, "Start recording").click();
    await page.getByText(hint).first().waitFor();
    await button(page, "Try again").waitFor();
  });
});
