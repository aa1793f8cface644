import type { Page } from "playwright";
import { expect } from "./harness-expect.ts";

/** What a browser says of a server that is gone, or that it can't reach. */
export const serverAway = /ERR_|WebSocket connection|Failed to load resource|Failed to fetch|Unable to preload/;

/** Until the service worker has taken the page over, and has all that it keeps. */
export async function installed(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated");
  await expect.poll(() => page.evaluate(async () => (await caches.match("/locales/en/offline.json")) !== undefined)).toBe(true);
}
