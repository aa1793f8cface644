import type { Page } from "playwright-core";
import { test } from "vitest";
import { enter, expect, openPage, screenshots, sharedParlance } from "#tests/browser/harness.ts";
import { violations } from "#tests/browser/harness-axe.ts";
import { fixture } from "#tests/browser/harness-files.ts";

const shared = sharedParlance({ browser: { microphone: { speaks: fixture("microphone.wav") } } });
/** What a browser says of a server that is gone, or that it can't reach. */
const serverAway = /ERR_|WebSocket connection|Failed to load resource|Failed to fetch|The server can't be reached/;

/** Until the service worker has taken the page over, and has all that it keeps. */
async function installed(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated");
  await page.waitForFunction(async () => (await caches.match("/locales/en/offline.json")) !== undefined);
}

test("the page opens without a network, wherever it is opened, and says what can be done there", async () => {
  await using visit = await openPage(shared.browser, { context: { serviceWorkers: "allow" }, expected: [serverAway] });
  const { page } = visit;
  await page.goto(shared.server.url);
  await enter(page, shared.server);
  await page.goto(new URL("/dashboard", shared.server.url).href);
  await installed(page);
  await page.context().setOffline(true);
  await page.reload();
  await expect(page.getByRole("heading", { name: "There is no network" })).toBeVisible();
  await page.getByText("Your transcripts are on the server.").waitFor();
  expect(await violations(page)).toEqual([]);
  await screenshots(page, "offline");
  await page.goto(new URL("/voice-translator", shared.server.url).href);
  await page.getByText("Translating a conversation needs the server.").waitFor();
  await page.context().setOffline(false);
  await expect(page.getByRole("heading", { name: "There is no network" })).toHaveCount(0);
});
