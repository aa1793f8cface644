import { fileURLToPath } from "node:url";
import type { Page } from "playwright";
import { describe, test } from "vitest";
import { expect, sharedPage, sharedParlance } from "#tests/browser/harness.ts";
import { microphoneEnd, microphoneText } from "#tests/fixtures/audio/texts.ts";

const speaks = fileURLToPath(new URL("../../fixtures/audio/microphone.wav", import.meta.url));
const captions = (page: Page) => page.getByTestId("captions");
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
/** Console messages about a server that is unreachable. */
const serverAway = /ERR_|WebSocket connection|Failed to load resource/;

/** Waits until the page is a transcript with exactly the spoken words. */
async function expectSaved(page: Page): Promise<void> {
  await page.waitForURL(/\/transcription\//);
  const words = async () => (await page.locator("[data-start]").allTextContents()).join(" ");
  await expect.poll(words).toBe(microphoneText);
}

const shared = sharedParlance({ browser: { microphone: { speaks } } });
const pages = sharedPage(shared);
const path = "/speech-to-text";

describe("live dictation", () => {
  // PROMISE dictation: A lost connection, a reload or a crash loses no word
  test("loses no word when the server is killed in the middle of a sentence and restarts", async () => {
    const { server } = shared;
    const { page } = await pages.begin(path, [serverAway]);
    await button(page, "Start recording").click();
    // Waits for the first word only: later words may still change during the recording.
    await captions(page)
      .getByText(/please/i)
      .waitFor();
    await server.kill();
    await page.getByText("Connection lost.").waitFor();
    await page.getByText(/^0:\d\d of audio is stored in this browser\.$/).waitFor();
    await server.restart();
    await captions(page).getByText(microphoneEnd).waitFor();
    await button(page, "Stop").click();
    await expectSaved(page);
  });

  // PROMISE dictation: A lost connection, a reload or a crash loses no word
  test("offers the recording again when the tab is reloaded in the middle of a sentence", async () => {
    const { page } = await pages.begin(path, [serverAway]);
    await button(page, "Start recording").click();
    await captions(page).getByText(microphoneEnd).waitFor();
    page.on("dialog", (dialog) => void dialog.accept());
    await page.reload();
    await page.getByText("You have an unfinished recording").waitFor();
    await button(page, "Finish").click();
    await expectSaved(page);
    await page.getByRole("link", { name: "Speech to text" }).first().click();
    await button(page, "Start recording").waitFor();
    await expect(page.getByText("You have an unfinished recording")).toHaveCount(0);
  });
});
