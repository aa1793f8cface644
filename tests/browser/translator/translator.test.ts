import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { Page, Route } from "playwright";
import { describe, test } from "vitest";
import { expect, openPage, openSignedIn, sharedParlance } from "#tests/browser/harness.ts";
import { microphoneEnd, microphoneText } from "#tests/fixtures/audio/texts.ts";

const speaks = fileURLToPath(new URL("../../fixtures/audio/microphone.wav", import.meta.url));
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true });
/** The button that records English. */
const english = (page: Page) => page.getByRole("button", { name: /^English/ });
const words = (page: Page, side: 0 | 1) => page.getByTestId(`words-${side}`);
const turns = (page: Page) => page.locator("[data-turn]");
const inStatus = (page: Page, status: string) => page.locator(`[data-status="${status}"]`);

/** Records the sources that the page plays. The browser allows playback without a click. */
function watchAudio(): void {
  const played: string[] = [];
  const play = HTMLMediaElement.prototype.play;
  HTMLMediaElement.prototype.play = function () {
    played.push(this.src);
    return play.call(this);
  };
  Object.assign(globalThis, { played });
}
const played = (page: Page) => page.evaluate<string[]>("globalThis.played");

const path = "/voice-translator";

/** Opens a new page that records its playback. */
async function openWatched(page: Page): Promise<void> {
  await page.addInitScript(watchAudio);
  await openSignedIn(page, shared.server, path);
  await inStatus(page, "idle").waitFor();
}

/** Speaks the fixture's English text. */
async function speak(page: Page): Promise<void> {
  await english(page).click();
  await words(page, 0).getByText(microphoneEnd).waitFor();
  await english(page).click();
}

async function type(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: "Type in Spanish" }).fill(text);
  await button(page, "Translate").click();
}

const shared = sharedParlance({
  acrossFiles: true,
  browser: { microphone: { speaks }, args: ["--autoplay-policy=no-user-gesture-required"] },
});

describe("a conversation between two people", () => {
  // PROMISE translation: A conversation in two languages is spoken or typed
  test("translates spoken English aloud and typed Spanish, and exports the conversation from the history", {
    tags: "quick",
  }, async () => {
    await using visit = await openPage(shared.browser);
    const { page } = visit;
    await openWatched(page);
    const spoken = page.waitForRequest((request) => request.url().endsWith("/api/v1/speech"));
    await speak(page);
    await words(page, 1)
      .getByText(/tiempo/)
      .waitFor();
    const aloud: unknown = (await spoken).postDataJSON();
    expect(aloud).toMatchObject({ language: "es", text: expect.stringContaining("tiempo") });
    expect((await (await spoken).response())?.status()).toBe(200);
    await expect.poll(async () => (await played(page)).filter((src) => src.startsWith("blob:")).length).toBeGreaterThan(1);
    await inStatus(page, "idle").waitFor();
    await button(page, "Play the recording").click();
    await inStatus(page, "replaying").waitFor();
    await expect.poll(async () => (await played(page)).at(-1)).toMatch(/\/audio#t=/);
    await button(page, "Stop").first().click();

    await page.reload();
    await turns(page).first().waitFor();
    await expect(words(page, 0)).toHaveText(microphoneText);
    const saving = Promise.withResolvers<Route>();
    await page.route("**/conversations/*/turns/*", saving.resolve, { times: 1 });
    await type(page, "Muchas gracias.");
    await words(page, 0).getByText(/thank/i).waitFor();
    await expect(turns(page)).toHaveCount(2);

    await button(page, "Export")
      .or(page.locator("summary", { hasText: "Export" }))
      .first()
      .click();
    const download = page.waitForEvent("download");
    await button(page, "Text (.txt)").click();
    // The export includes a turn that the page shows but has not sent yet.
    await (await saving.promise).continue();
    const file = await (await download).createReadStream();
    const exported = await text(file);
    expect(exported).toContain("have time");
    expect(exported).toContain("Muchas gracias.");

    await page.getByRole("link", { name: "Dashboard" }).first().click();
    await page.getByRole("link", { name: /have time/i }).click();
    await page.getByText("Muchas gracias.").first().waitFor();
  });
});
