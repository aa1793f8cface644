import type { Page } from "playwright";
import { test } from "vitest";
import { wordErrors } from "#speech/word-errors.ts";
import { expect, openPage, openSignedIn, screenshots, sharedParlance } from "#tests/browser/harness.ts";
import { violations } from "#tests/browser/harness-axe.ts";
import { fixture, transcriptionOf } from "#tests/browser/harness-files.ts";
import { installed, serverAway } from "#tests/browser/harness-offline.ts";
import { microphoneText } from "#tests/fixtures/audio/texts.ts";

const shared = sharedParlance({ browser: { microphone: { speaks: fixture("microphone.wav") } } });
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });

/** The caches that contain a file of this name. */
const keptWith = (page: Page, name: string): Promise<string[]> =>
  page.evaluate(async (wanted) => {
    const has = async (cache: string) => (await (await caches.open(cache)).keys()).some(({ url }) => url.includes(wanted));
    const names = await caches.keys();
    const found = await Promise.all(names.map(has));
    return names.filter((_, at) => found[at]);
  }, name);

// PROMISE offline: A dictation without a network waits in the browser, and is sent by itself
test("recognizes a dictation on the device without a network, also after a reload, and sends it later", {
  tags: "quick",
}, async () => {
  await using visit = await openPage(shared.browser, { context: { serviceWorkers: "allow" }, expected: [serverAway] });
  const { page } = visit;
  await openSignedIn(page, shared.server, "/settings/data");
  await button(page, /^Download model/).click();
  await page.getByText("The model is on this device.").waitFor({ state: "attached" });
  await page.goto(shared.at("/speech-to-text"));
  await installed(page);
  await expect(button(page, "Start recording")).toBeEnabled();
  // The recognizer is cached with the model, not with the page.
  expect(await keptWith(page, "recogniser.worker")).toEqual(["device-models"]);
  await page.context().setOffline(true);
  await button(page, "Start recording").click();
  const words = page.getByTestId("captions").getByText(/please/i);
  await words.first().waitFor();
  await screenshots(page, "offline-words");
  expect(await violations(page)).toEqual([]);
  // The whole text of microphone.wav.
  await page.getByText(/^(?:0:[1-5]|[1-9]\d*:\d)\d of audio is stored in this browser\.$/).waitFor();
  await page.reload();
  await button(page, "Finish").click();
  await page.getByText("1 recording is waiting in this browser").waitFor();
  await words.first().waitFor();

  await page.context().setOffline(false);
  await expect(page.getByText("1 recording is waiting in this browser")).toHaveCount(0);
  await page.goto(shared.at("/dashboard"));
  const link = page.locator('main a[href^="/transcription/"]');
  const id = (await link.getAttribute("href"))?.split("/").at(-1) ?? "";
  const { engine, status, text, hasAudio, segments } = await transcriptionOf(page, shared.server.apiUrl, id);
  expect({ engine, status, hasAudio }).toEqual({ engine: "device", status: "completed", hasAudio: true });
  expect([text, wordErrors(text, microphoneText).errors]).toEqual([text, 0]);
  expect(segments.flatMap(({ words }) => words).every(({ start, end }) => start <= end && end < 12)).toBe(true);
});
