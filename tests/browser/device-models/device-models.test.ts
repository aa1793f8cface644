import type { Page } from "playwright";
import { test } from "vitest";
import { expect, sharedPage, sharedParlance } from "#tests/browser/harness.ts";

// The speech model from the page's server in parts, and its state in the browser's storage and in other tabs.
// tests/components/device-models covers each phase.

const shared = sharedParlance();
const pages = sharedPage(shared);
const card = (page: Page) => page.getByRole("region", { name: "Recognition on this device", exact: true });
const button = (page: Page, name: string | RegExp) => card(page).getByRole("button", { name });
const says = (page: Page, text: string) => expect(card(page).getByRole("status")).toHaveText(text);

test("resumes a paused download after a reload, and updates other tabs after download and deletion", {
  tags: "quick",
}, async () => {
  const { page } = await pages.begin("/settings/data");
  const ranges: string[] = [];
  page.on("request", (request) => {
    const file = /\/assets\/(\w+)-[\w-]+\.bin$/.exec(request.url())?.[1];
    if (file !== undefined) ranges.push(`${file} ${request.headers().range}`);
  });
  // Slow enough to pause: 4 MB per second.
  const network = await page.context().newCDPSession(page);
  await network.send("Network.enable");
  const throttle = (downloadThroughput: number) =>
    network.send("Network.emulateNetworkConditions", { offline: false, latency: 0, downloadThroughput, uploadThroughput: -1 });
  await throttle(4_000_000);
  await button(page, /^Download model/).click();
  await expect
    .poll(async () => Number(await card(page).getByRole("progressbar").getAttribute("aria-valuenow")))
    .toBeGreaterThan(5);
  await button(page, "Pause").click();
  await says(page, "Paused. What is already downloaded is kept.");
  await page.reload();
  await says(page, "Paused. What is already downloaded is kept.");
  ranges.length = 0;
  await throttle(-1);
  await button(page, "Resume").click();
  await says(page, "The model is on this device.");
  // At least two pieces of the first file are stored.
  expect(ranges[0]).toMatch(/^(encoder_model|decoder_model_merged) bytes=[1-9]\d*-$/);
  const other = await page.context().newPage();
  await other.goto(shared.at("/settings/data"));
  await says(other, "The model is on this device.");
  await button(page, "Delete model").click();
  await says(other, "Not on this device");
  const pieces = await page.evaluate(async () => (await (await caches.open("device-models")).keys()).length);
  expect(pieces).toBe(0);
  await other.close();
});
