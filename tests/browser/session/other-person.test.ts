import { randomUUID } from "node:crypto";
import { fileURLToPath } from "node:url";
import type { Page } from "playwright";
import { describe, test } from "vitest";
import { enter, expect, openPage, type Parlance, type Person, sharedParlance } from "#tests/browser/harness.ts";
import { putTranscript, spokenSegment } from "#tests/browser/harness-transcript.ts";
import { microphoneEnd } from "#tests/fixtures/audio/texts.ts";

const speaks = fileURLToPath(new URL("../../fixtures/audio/microphone.wav", import.meta.url));
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
/** The visible places that show the text of microphone.wav. */
const said = (page: Page) => page.getByText(/have time/i).filter({ visible: true });

const shared = sharedParlance({ acrossFiles: true, browser: { microphone: { speaks } } });

async function dictate(page: Page): Promise<void> {
  await page.getByRole("link", { name: "Start speaking" }).first().click();
  await button(page, "Start recording").click();
  await page.getByTestId("captions").getByText(microphoneEnd).waitFor();
  await button(page, "Stop").click();
}

/** Logs out without a page load, so the page's memory remains. */
async function leave(page: Page): Promise<void> {
  await button(page, "Log out").first().click();
  await page.waitForURL(/signin/);
}

async function signIn(page: Page, { email, password }: Person): Promise<void> {
  await page.locator("input[type=email]").fill(email);
  await page.locator("input[type=password]").fill(password);
  await page.locator("form button[type=submit]").click();
  await page.waitForURL(/dashboard/);
}

/** Expires the cache of the engines, which lasts a minute, and never answers the next request for them. */
async function forgetEngines(page: Page): Promise<void> {
  await page.route("**/engines", () => {});
  await page.evaluate(() => {
    const real = Date.now;
    Date.now = () => real() + 61_000;
  });
}

/** Imitates a tab that slept while another user signed in in another tab. */
async function becomeSomebodyElse(page: Page, server: Parlance): Promise<void> {
  const registration = { email: `${randomUUID()}@example.org`, password: `correct horse ${randomUUID()}` };
  const answer = await fetch(`${server.apiUrl}/auth/register`, {
    method: "POST",
    headers: { "Content-Type": "application/json", Origin: server.url },
    body: JSON.stringify(registration),
  });
  const { accessToken } = await answer.json();
  // The storage events of both changes arrive only after both.
  await page.evaluate((token) => {
    localStorage.setItem("jwtToken", token);
    dispatchEvent(new StorageEvent("storage", { key: "jwtToken", newValue: null }));
    dispatchEvent(new StorageEvent("storage", { key: "jwtToken", newValue: token }));
  }, accessToken);
}

describe("another user in the same browser", () => {
  test("keeps an unsaved transcript from another user of the browser until its owner returns", async () => {
    const { browser, server } = shared;
    await using visit = await openPage(browser, { expected: [/ERR_FAILED|401/] });
    const { page } = visit;
    const ada = await enter(page, server);
    await page.goto(shared.at("/dashboard"));
    const saving = "**/save-final-transcription";
    await page.route(saving, (route) => route.abort());
    await dictate(page);
    await page
      .getByText(/couldn’t be saved yet/)
      .first()
      .waitFor();
    await leave(page);

    await page.getByRole("main").getByRole("link", { name: "Create account" }).click();
    // The address changes before the form appears.
    await page.getByRole("heading", { name: "Create your account" }).waitFor();
    await signIn(page, { email: `${randomUUID()}@example.org`, password: `correct horse ${randomUUID()}` });
    await page.unroute(saving);
    const sent: string[] = [];
    page.on("request", (request) => sent.push(`${request.method()} ${request.url()}`));
    await page.evaluate(() => dispatchEvent(new Event("online")));
    await forgetEngines(page);
    await page.getByText("How do you want to start?").waitFor();
    await page.getByRole("link", { name: "Speech to text" }).first().click();
    await expect.poll(() => sent.some((request) => request.endsWith("/engines"))).toBe(true);
    expect(await said(page).count()).toBe(0);
    await page.unroute("**/engines");
    await page.reload();
    await button(page, "Start recording").waitFor();
    expect(await said(page).count()).toBe(0);
    expect(sent.filter((request) => request.includes("save-final"))).toEqual([]);

    await leave(page);
    await signIn(page, ada);
    await page.getByRole("link", { name: /have time/i }).waitFor();
    await expect.poll(() => page.evaluate(() => localStorage.getItem("transcriptions"))).toBeNull();
  });

  test("hides a dictation from another user who signed in in another tab while this tab slept", async () => {
    const { browser, server } = shared;
    await using visit = await openPage(browser);
    const { page } = visit;
    await enter(page, server);
    await page.goto(shared.at("/dashboard"));
    await dictate(page);
    await page.waitForURL(/\/transcription\//);
    await page.goBack();
    await button(page, "Start recording").waitFor();
    await forgetEngines(page);
    await becomeSomebodyElse(page, server);
    await expect(said(page)).toHaveCount(0);
    await page.unroute("**/engines");
    await page.reload();
    await button(page, "Start recording").waitFor();
    expect(await said(page).count()).toBe(0);
  });

  test("hides an open transcript from another user who signed in in another tab", async () => {
    const { browser, server } = shared;
    await using visit = await openPage(browser, { expected: [/404/] });
    const { page } = visit;
    await enter(page, server);
    const path = await putTranscript(server, page, { segments: [spokenSegment("Call me when you have time.", 0, 2)] });
    const address = shared.at(path);
    await page.goto(address);
    await said(page).first().waitFor();
    await becomeSomebodyElse(page, server);
    await expect(said(page)).toHaveCount(0);
    await page.goto(address);
    await page.getByText("Transcript not found").waitFor();
    expect(await said(page).count()).toBe(0);
  });
});
