import type { Page } from "playwright";
import { test } from "vitest";
import { expect, openPage, openSignedIn, screenshots, sharedParlance } from "#tests/browser/harness.ts";
import { violations } from "#tests/browser/harness-axe.ts";
import { fixture } from "#tests/browser/harness-files.ts";

const shared = sharedParlance({ browser: { microphone: { speaks: fixture("microphone.wav") } } });
/** What a browser says of a server that is gone, or that it can't reach. */
const serverAway = /ERR_|WebSocket connection|Failed to load resource|Failed to fetch|The server can't be reached/;

/** Until the service worker has taken the page over, and has all that it keeps. */
async function installed(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated");
  await expect.poll(() => page.evaluate(async () => (await caches.match("/locales/en/offline.json")) !== undefined)).toBe(true);
}

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

// PROMISE offline: The page opens without a network; a new version interrupts nothing
// PROMISE offline: A dictation without a network waits in the browser, and is sent by itself
test("the page opens without a network, wherever it is opened; what is dictated then waits in the browser, and is sent by itself", {
  tags: "quick",
}, async () => {
  await using visit = await openPage(shared.browser, { context: { serviceWorkers: "allow" }, expected: [serverAway] });
  const { page } = visit;
  const open = (path: string) => page.goto(new URL(path, shared.server.url).href);
  await openSignedIn(page, shared.server, "/speech-to-text");
  await installed(page);
  await page.context().setOffline(true);

  await open("/voice-translator");
  await page.getByText("Translating a conversation needs the server.").waitFor();
  await open(`/transcription/${crypto.randomUUID()}`);
  await page.getByText("This transcript is on the server.").waitFor();
  await open("/dashboard");
  await page.getByText("Your transcripts are on the server.").waitFor();
  expect(await violations(page)).toEqual([]);
  await button(page, "Dictate").click();
  await page.getByText("There is no network. You can dictate all the same").waitFor();
  await button(page, "Start recording").click();
  await page.getByText(/^0:0[1-9] of sound is kept in this browser\.$/).waitFor();
  await button(page, "Stop").click();
  await page.getByText("1 recording waits in this browser").waitFor();
  await expect(button(page, "Start recording")).toBeEnabled();
  await screenshots(page, "offline-dictation");

  await open("/dashboard");
  await page.getByText(/It becomes a transcript in/).waitFor();
  await screenshots(page, "offline");
  await page.context().setOffline(false);
  await expect(page.getByRole("heading", { name: "There is no network" })).toHaveCount(0);
  await expect(page.getByText("1 recording waits in this browser")).toHaveCount(0);
  await expect(page.locator('main a[href^="/transcription/"]')).toHaveCount(1);
});
