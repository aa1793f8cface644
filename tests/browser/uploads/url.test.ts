import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import type { Browser, Page } from "playwright";
import * as v from "valibot";
import { afterAll, beforeAll, describe, test } from "vitest";
import { expect, type Parlance, sharedBrowser, sharedPage, startParlance } from "#tests/browser/harness.ts";
import { fixture } from "#tests/browser/harness-files.ts";
import { marketText } from "#tests/fixtures/audio/texts.ts";

// Recordings at a web address (/url-transcription-config).

const plain = (text: string) => text.toLowerCase().replace(/[^a-z ]+/g, "");

let browser: Browser;
let server: Parlance;
let origin: string;
const media = createServer(async (request, response) => {
  if (request.url?.startsWith("/talks/market.mp3")) {
    response.writeHead(200, { "Content-Type": "audio/mpeg" }).end(await readFile(fixture("market.mp3")));
  } else response.writeHead(200, { "Content-Type": "text/html" }).end("<!doctype html><p>Listen!</p>");
});

beforeAll(async () => {
  await new Promise<void>((resolve) => media.listen(0, "127.0.0.1", resolve));
  const { port } = v.parse(v.object({ port: v.number() }), media.address());
  origin = `http://localhost:${port}`;
  browser = await sharedBrowser();
  server = await startParlance({ env: { FETCH_ALLOW_HOSTS: `localhost:${port}` } });
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
  media.closeAllConnections();
  await new Promise((resolve) => media.close(resolve));
});

const field = (page: Page) => page.getByRole("textbox", { name: "Address" });

const form = "/url-transcription-config";

async function start(page: Page, address: string): Promise<void> {
  await field(page).fill(address);
  await page.getByRole("button", { name: "Start" }).click();
}

describe("a recording at an address", () => {
  // PROMISE addresses: Recordings and podcasts come from a web address, from the public network alone
  test("downloads a recording from an address, shows the steps, and creates a transcript", async () => {
    const { page } = await pages.begin("/speech-to-text");
    await page.getByRole("link", { name: "From a link" }).click();
    await start(page, `${origin}/talks/market.mp3?token=secret`);
    await page.waitForURL("**/file-processing/*");
    await page.getByRole("heading", { name: "market", exact: true }).waitFor();
    await expect(page.getByRole("list", { name: "Steps" })).toContainText("Fetching");
    await page.getByRole("button", { name: "Open the transcript" }).click();
    await page.locator("[data-start]").first().waitFor();
    const text = await page.locator("[data-start]").allTextContents();
    expect(plain(text.join(" "))).toBe(plain(marketText));
  });
});

describe("the form for an address", () => {
  test("keeps the typed address and title over a reload and an expired session", async () => {
    const { page, person } = await pages.begin(form);
    await field(page).waitFor();
    await field(page).fill("https://example.org/unfinished");
    await page.getByRole("textbox", { name: "Title" }).fill("My talk");
    await page.reload();
    await field(page).waitFor();
    const isThere = async () => {
      await expect(field(page)).toHaveValue("https://example.org/unfinished");
      await expect(page.getByRole("textbox", { name: "Title" })).toHaveValue("My talk");
    };
    await isThere();
    await page.context().clearCookies();
    await page.evaluate(() => localStorage.removeItem("jwtToken"));
    await page.reload();
    await page.waitForURL("**/signin");
    await page.locator("input[type=email]").fill(person.email);
    await page.locator("input[type=password]").fill(person.password);
    await page.locator("button[type=submit]").click();
    await page.waitForURL("**/url-transcription-config");
    await field(page).waitFor();
    await isThere();
  });
});

test("creates an ordinary transcript from the sample on an empty dashboard", async () => {
  const { page } = await pages.begin("/dashboard");
  const main = page.getByRole("main");
  await main.getByRole("button", { name: "Open a sample" }).click();
  await page.getByRole("heading", { name: "Sample: John F. Kennedy, 1961", level: 1 }).waitFor();
  await main.getByText("Spoken: English").last().waitFor();
  await main.getByText("mis americanos amigos").waitFor();
  await main.getByRole("button", { name: "Play", exact: true }).waitFor();
  await main.getByRole("link", { name: "Dashboard" }).click();
  await main.getByRole("link", { name: "Sample: John F. Kennedy, 1961" }).waitFor();
  await main.getByText("Sample", { exact: true }).waitFor();
});
