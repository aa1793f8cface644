import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, test } from "vitest";
import { expect, type Parlance, sharedBrowser, sharedPage, startParlance } from "#tests/browser/harness.ts";
import { violations } from "#tests/browser/harness-axe.ts";
import { screenshots } from "#tests/browser/harness-screenshots.ts";
import { type FeedServer, openFeedServer } from "#tests/fixtures/feed-server.ts";

let browser: Browser;
let server: Parlance;
let podcast: FeedServer;

beforeAll(async () => {
  podcast = await openFeedServer([{ title: "The newest talk", guid: "1", file: "/1.wav", at: Date.UTC(2026, 0, 1) }]);
  browser = await sharedBrowser();
  server = await startParlance({ env: { FETCH_ALLOW_HOSTS: `localhost:${podcast.port}` } });
});
const pages = sharedPage({
  get browser() {
    return browser;
  },
  get server() {
    return server;
  },
});
afterAll(async () => {
  await server?.stop();
  await podcast?.close();
});

/** Creates a folder for the signed-in user; the page loads it when it is online again. */
async function putFolder(page: Page, name: string): Promise<void> {
  const token = await page.evaluate(() => localStorage.getItem("jwtToken"));
  const answer = await page.request.post(`${server.apiUrl}/api/v1/audio-transcriptions/folders`, {
    headers: { Authorization: `Bearer ${token}` },
    data: { name },
  });
  expect(answer.status()).toBe(201);
  await page.evaluate(() => window.dispatchEvent(new Event("online")));
}

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

// PROMISE addresses: A followed podcast is transcribed within the limits of the plan
test("follows a feed with its newest episode, files, pauses and unfollows it, and rejects a page without a feed", async () => {
  const { page } = await pages.begin("/settings/transcription", [/422 \(Unprocessable/]);
  const card = page.getByRole("region", { name: "Podcasts you follow", exact: true });
  await card.getByText("You don’t follow any feeds.").waitFor();
  await button(page, "Follow a feed…").click();
  const address = card.getByLabel("Address of the feed");
  await expect(address).toBeFocused();
  await page.keyboard.press("Enter");
  await card.getByText("Enter the address of the feed.").waitFor();
  podcast.fault = "page";
  await address.fill(podcast.url("localhost"));
  await page.keyboard.press("Enter");
  await card.getByText("There is no feed with recordings at this address.").waitFor();
  await expect(address).toHaveValue(podcast.url("localhost"));
  expect(await violations(page, { part: "main" })).toEqual([]);
  await screenshots(page, "feeds-form");
  podcast.fault = undefined;
  await card.getByLabel("Also transcribe the latest episode now").check();
  await button(page, "Follow").click();
  await expect(button(page, "Follow a feed…")).toBeFocused();
  await card.getByText("Slow & steady").waitFor();
  await expect.poll(() => podcast.fetched).toEqual(["/1.wav"]);

  await button(page, "Pause Slow & steady").click();
  await card.getByText(/^Paused since .* Episodes published in the meantime are picked up when you resume\.$/).waitFor();
  await card.getByText("1 episode transcribed").waitFor();
  await expect(card.getByRole("link", { name: "The newest talk" })).toHaveAttribute("href", /^\/transcription\/.+/);
  await putFolder(page, "Listened to");
  const folder = card.getByLabel("Folder for transcripts from Slow & steady");
  await folder.selectOption({ label: "Listened to" });
  await expect(folder).toHaveAttribute("aria-busy", "false");
  await expect(folder.locator("option:checked")).toHaveText("Listened to");
  expect(await violations(page, { part: "main" })).toEqual([]);
  await screenshots(page, "feeds-list");
  await button(page, "Resume Slow & steady").click();
  await expect(button(page, "Pause Slow & steady")).toBeFocused();
  await button(page, "Unfollow Slow & steady").click();
  await page.getByRole("dialog", { name: "Unfollow this feed?" }).getByRole("button", { name: "Unfollow" }).click();
  await expect(page.getByRole("heading", { name: "You don’t follow any feeds." })).toBeFocused();
});
