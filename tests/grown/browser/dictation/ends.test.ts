import type { Page } from "playwright";
import { test } from "vitest";
import { expect, sharedPage, sharedParlance } from "#tests/browser/harness.ts";
import { fixture } from "#tests/browser/harness-files.ts";
import { microphoneEnd, microphoneText } from "#tests/fixtures/audio/texts.ts";

// A tab that is killed while somebody speaks. A server that is: tests/browser/dictation/dictation.test.ts.

const shared = sharedParlance({ acrossFiles: true, browser: { microphone: { speaks: fixture("microphone.wav") } } });
const pages = sharedPage(shared);
const path = "/speech-to-text";
/** What a browser says of a server that is gone, or that it can't reach. */
const serverAway = /ERR_|WebSocket connection|Failed to load resource/;

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const captions = (page: Page) => page.getByTestId("captions");

async function saved(page: Page): Promise<string> {
  await page.locator("[data-start]").first().waitFor();
  return (await page.locator("[data-start]").allTextContents()).join(" ");
}

/** Ends the process that shows the page, as the system does when memory is short: nothing of the page runs any more. */
async function kill(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  const crashed = page.waitForEvent("crash");
  // It never answers.
  devtools.send("Page.crash").catch(() => undefined);
  await crashed;
  await page.close();
}

test("what was said in a tab that is killed is offered in the next one, and finished there", async () => {
  const { page } = await pages.begin(path, [serverAway]);
  const speaking = await page.context().newPage();
  await speaking.goto(new URL(path, shared.server.url).href);
  // A new page has its pointer where the sidebar opens.
  await speaking.mouse.move(700, 500);
  await button(speaking, "Start recording").click();
  await captions(speaking).getByText(microphoneEnd).waitFor();
  await kill(speaking);
  await page.reload();
  await page.getByText("A recording was not finished").waitFor();
  await button(page, "Finish it").click();
  expect(await saved(page)).toBe(microphoneText);
});
