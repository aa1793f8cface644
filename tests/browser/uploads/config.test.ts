import { test } from "vitest";
import { expect, openPage, openSignedIn, sharedParlance } from "#tests/browser/harness.ts";
import { fixture, throttle } from "#tests/browser/harness-files.ts";
import { marketText } from "#tests/fixtures/audio/texts.ts";

const spoken = (text: string) => text.toLowerCase().replace(/[^a-z ]+/g, "");
const shared = sharedParlance({ acrossFiles: true });

test("uploads a file with a title and a translation, follows its stages, and focuses the way to its transcript", async () => {
  await using visit = await openPage(shared.browser);
  const { page } = visit;
  await openSignedIn(page, shared.server, "/speech-to-text");
  await page.getByRole("link", { name: "More file options" }).click();
  await page.waitForURL(/file-upload-config/);
  await page.locator("[name=title]").fill("A talk about  a bridge ");
  await page.locator("[name=vocabulary]").fill("zebra crossing → Zebra");
  await page.locator("[name=targetLanguage]").selectOption("es");
  await page.locator("input[type=file]").first().setInputFiles(fixture("market.wav"));
  await throttle(page, 5_000);
  await page.getByRole("button", { name: "Start with 1 file" }).press("Enter");
  await page.waitForURL(/file-processing\//);
  // Compares both spaces, which toHaveText would collapse.
  await expect(page.locator("h1")).toHaveJSProperty("textContent", "A talk about  a bridge");
  await expect(page.getByRole("list", { name: "Steps" }).locator("li")).toHaveCount(5);
  await page.locator('[aria-current="step"]').waitFor();
  await expect(page.locator("header").last()).toContainText("You can leave this page");
  await throttle(page, -1);
  const panel = page.getByTestId("processing");
  await panel.and(page.locator('[data-state="completed"]')).waitFor();
  expect(spoken((await page.getByTestId("segments-so-far").textContent()) ?? "")).toContain(spoken(marketText));
  await expect(page.getByRole("status").filter({ hasText: "The transcript is ready." })).toHaveCount(1);
  await expect(page.locator(":focus")).toHaveText("Open the transcript");
  await page.keyboard.press("Enter");
  await page.waitForURL(/transcription\//);
  // The page of a finished job is not in the browser's history.
  await page.goBack();
  await page.waitForURL(/file-upload-config/);
});
