import type { Page } from "playwright";
import { test } from "vitest";
import { expect, sharedPage, sharedParlance } from "#tests/browser/harness.ts";
import { fixture } from "#tests/browser/harness-files.ts";
import { microphoneEnd, microphoneText } from "#tests/fixtures/audio/texts.ts";

// A tab is killed during a dictation. A killed server: tests/browser/dictation/dictation.test.ts.

const shared = sharedParlance({ acrossFiles: true, browser: { microphone: { speaks: fixture("microphone.wav") } } });
const pages = sharedPage(shared);
const path = "/speech-to-text";
/** Console errors when the server is gone or can't be reached. */
const serverAway = /ERR_|WebSocket connection|Failed to load resource/;

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const captions = (page: Page) => page.getByTestId("captions");

async function saved(page: Page): Promise<string> {
  await page.locator("[data-start]").first().waitFor();
  return (await page.locator("[data-start]").allTextContents()).join(" ");
}

/** Kills the page's process, as the system does when memory is short. No code of the page runs after that. */
async function kill(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const crashed = page.waitForEvent("crash");
  // The call never gets an answer.
  devtools.send("Page.crash").catch(() => undefined);
  await crashed;
  await page.close();
}

test("offers a killed tab's dictation in the next tab, and finishes it there", async () => {
  const { page } = await pages.begin(path, [serverAway]);
  const speaking = await page.context().newPage();
  await speaking.goto(new URL(path, shared.server.url).href);
  // In a new page the pointer is where the sidebar opens.
  await speaking.mouse.move(700, 500);
  await button(speaking, "Start recording").click();
  await captions(speaking).getByText(microphoneEnd).waitFor();
  await kill(speaking);
  await page.reload();
  await page.getByText("You have an unfinished recording").waitFor();
  await button(page, "Finish").click();
  expect(await saved(page)).toBe(microphoneText);
});
