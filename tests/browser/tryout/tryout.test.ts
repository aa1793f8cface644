import { fileURLToPath } from "node:url";
import type { Page } from "playwright";
import { test } from "vitest";
import { enter, expect, openPage, sharedParlance } from "#tests/browser/harness.ts";
import { violations } from "#tests/browser/harness-axe.ts";
import { microphoneEnd, microphoneText } from "#tests/fixtures/audio/texts.ts";

// A try-out of thirty seconds on the landing page, without an account.

const speaks = fileURLToPath(new URL("../../fixtures/audio/microphone.wav", import.meta.url));
const shared = sharedParlance({ acrossFiles: true, browser: { microphone: { speaks } } });

const words = (page: Page) => page.getByTestId("try-out-words");
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

const heard = async (page: Page) => (await words(page).locator("p:not([lang])").allTextContents()).join(" ");

/**
 * Speaks microphone.wav.
 * @returns the number of clicks from the landing page to the user's words
 */
async function speak(page: Page): Promise<number> {
  let clicks = 0;
  const click = async (name: string) => {
    clicks += 1;
    await button(page, name).click();
  };
  await page.goto(shared.at("/"));
  await click("Start speaking");
  await words(page).getByText(microphoneEnd).waitFor();
  await click("Stop");
  return clicks;
}

const kept = (page: Page) => page.getByText(/Kept in this browser for 7 days \(/);

/** Fills in the sign-up page. */
async function createAccount(page: Page): Promise<void> {
  await page.getByRole("heading", { name: "Create your account" }).waitFor();
  await page.getByRole("textbox", { name: "E-mail" }).fill(`${crypto.randomUUID()}@example.org`);
  await page.getByLabel("Password", { exact: true }).fill(`correct horse ${crypto.randomUUID()}`);
  await button(page, "Create account").click();
}

// PROMISE tryout: Thirty seconds without an account stay on this machine, and nothing is kept
test("keeps words from the landing page after a reload, and turns them into a transcript after the sign-up", async () => {
  await using visit = await openPage(shared.browser);
  const { page } = visit;
  expect(await speak(page)).toBeLessThanOrEqual(2);
  await kept(page).waitFor();
  await page.reload();
  await kept(page).waitFor();
  await expect.poll(() => heard(page)).toBe(microphoneText);
  await words(page).locator("p[lang=es]").first().waitFor();
  await expect.poll(() => page.locator("audio").evaluate((sound: HTMLAudioElement) => sound.duration)).toBeGreaterThan(1);

  expect(await violations(page)).toEqual([]);
  await page.getByRole("link", { name: "Create account and save" }).click();
  await createAccount(page);
  await page.waitForURL(/\/transcription\/[\w-]+$/);
  await page.locator("[data-start]").first().waitFor();
  expect((await page.locator("[data-start]").allTextContents()).join(" ")).toBe(microphoneText);
  await page.getByRole("main").getByRole("button", { name: "Play", exact: true }).waitFor();
  // The recording is stored only once.
  await page.goto(shared.at("/dashboard"));
  await page.getByRole("heading", { name: "Dashboard", level: 1 }).waitFor();
  await expect(page.getByText("Save your recording (")).toHaveCount(0);
});

test("only offers words from the landing page to a user who signs in to an existing account", async () => {
  await using visit = await openPage(shared.browser);
  const { page } = visit;
  await speak(page);
  await kept(page).waitFor();
  await enter(page, shared.server);
  await page.goto(shared.at("/dashboard"));
  await page.getByText("Save your recording (").waitFor();
  await button(page, "Save as transcript").click();
  await page.waitForURL(/\/transcription\/[\w-]+$/);
});
