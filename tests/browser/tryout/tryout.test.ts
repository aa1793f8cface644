import { fileURLToPath } from "node:url";
import type { Page } from "playwright";
import { test } from "vitest";
import { expect, openPage, sharedParlance } from "#tests/browser/harness.ts";
import { violations } from "#tests/browser/harness-axe.ts";
import { microphoneEnd, microphoneText } from "#tests/fixtures/audio/texts.ts";

// Thirty seconds on the landing page, without an account.

const speaks = fileURLToPath(new URL("../../fixtures/audio/microphone.wav", import.meta.url));
const shared = sharedParlance({ acrossFiles: true, browser: { microphone: { speaks } } });

const words = (page: Page) => page.getByTestId("try-out-words");
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

const heard = async (page: Page) => (await words(page).getByRole("paragraph").allTextContents()).join(" ");

/** Says what microphone.wav says. */
async function speak(page: Page): Promise<void> {
  await page.goto(shared.at("/"));
  await button(page, "Try it without an account").click();
  await page.getByText("Speak English.").waitFor();
  await button(page, "Start recording").click();
  await words(page).getByText(microphoneEnd).waitFor();
  await button(page, "Stop").click();
}

// PROMISE tryout: Thirty seconds without an account stay on this machine, and nothing is kept
test("what is said on the landing page is there after a reload, and becomes a transcript after signing up", async () => {
  await using visit = await openPage(shared.browser);
  const { page } = visit;
  await speak(page);
  const kept = page.getByText(/are kept in this browser, seven days at most/);
  await kept.waitFor();
  await page.reload();
  await kept.waitFor();
  await expect.poll(() => heard(page)).toBe(microphoneText);

  expect(await violations(page)).toEqual([]);
  await page.getByRole("link", { name: "Sign up and keep it" }).click();
  await page.getByRole("heading", { name: "Create your account" }).waitFor();
  await page.getByRole("textbox", { name: "E-mail" }).fill(`${crypto.randomUUID()}@example.org`);
  await page.getByLabel("Password", { exact: true }).fill(`correct horse ${crypto.randomUUID()}`);
  await button(page, "Sign up").click();
  await page.getByText("You can keep what was said in this browser before").waitFor();
  await button(page, "Make it a transcript").click();
  await page.waitForURL("**/speech-to-text");
  await page.getByRole("link", { name: "Open the transcript" }).click();
  await page.locator("[data-start]").first().waitFor();
  expect((await page.locator("[data-start]").allTextContents()).join(" ")).toBe(microphoneText);
  await page.getByRole("main").getByRole("button", { name: "Play", exact: true }).waitFor();
  // It is offered once.
  await page.goto(shared.at("/dashboard"));
  await page.getByRole("heading", { name: "Dashboard", level: 1 }).waitFor();
  await expect(page.getByText("You can keep what was said")).toHaveCount(0);
});
