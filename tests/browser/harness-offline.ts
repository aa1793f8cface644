import type { Page } from "playwright";
import { expect } from "./harness-expect.ts";

/** Console messages about a server that is unreachable. */
export const serverAway = /ERR_|WebSocket connection|Failed to load resource|Failed to fetch|Unable to preload/;

/** Waits until the service worker controls the page and has filled its cache. */
export async function installed(page: Page): Promise<void> {
  await page.waitForFunction(() => navigator.serviceWorker.controller?.state === "activated");
  await expect.poll(() => page.evaluate(async () => (await caches.match("/locales/en/offline.json")) !== undefined)).toBe(true);
}
