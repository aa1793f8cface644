import type { Page } from "playwright";
import { test } from "vitest";
import { wordErrors } from "#speech/word-errors.ts";
import { expect, openPage, openSignedIn, screenshots, sharedParlance } from "#tests/browser/harness.ts";
import { violations } from "#tests/browser/harness-axe.ts";
import { fixture, recordMicrophone, transcriptionOf } from "#tests/browser/harness-files.ts";
import { microphoneText } from "#tests/fixtures/audio/texts.ts";

const shared = sharedParlance({ browser: { microphone: { speaks: fixture("microphone.wav") } } });
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });

/** Records all later requests that change something or have a body, and connections for speech. */
function watchSending(page: Page): string[] {
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() !== "GET") sent.push(`${request.method()} ${request.url()}`);
  });
  page.on("websocket", (socket) => sent.push(socket.url()));
  return sent;
}

/** Dictates microphone.wav once, up to the choice between saving and discarding. */
async function dictate(page: Page): Promise<void> {
  await recordMicrophone(page);
  await button(page, "Stop").click();
  await page.getByText("Transcribed, but not saved yet.").waitFor();
}

// PROMISE dictation: On this device, nothing of a dictation is sent before the person saves it
test("sends nothing of a dictation on the device before it is saved, even after a reload", {
  tags: "quick",
}, async () => {
  await using visit = await openPage(shared.browser);
  const { page } = visit;
  await openSignedIn(page, shared.server, "/speech-to-text");
  await page.getByLabel("Recognize", { exact: true }).selectOption("on this device");
  expect(await violations(page)).toEqual([]);
  await button(page, /^Download model/).click();
  await page.getByText("The model is on this device.").waitFor({ state: "attached" });
  const sent = watchSending(page);
  await dictate(page);
  await expect(button(page, /^Save$/)).toBeFocused();
  await screenshots(page, "dictation-kept");
  expect(await violations(page)).toEqual([]);
  await button(page, "Discard").click();
  await page.getByRole("dialog").getByRole("button", { name: "Discard" }).click();
  await expect(button(page, "Start recording")).toBeEnabled();

  await dictate(page);
  await page.reload();
  await page.getByText("You have a recording that is only on this device").waitFor();
  expect(await violations(page)).toEqual([]);
  await button(page, /^Open$/).click();
  await page.getByText("Transcribed, but not saved yet.").waitFor();
  expect(sent).toEqual([]);

  await button(page, /^Save$/).click();
  await page.waitForURL(/\/transcription\//);
  const id = page.url().split("/").at(-1) ?? "";
  const { engine, text, hasAudio } = await transcriptionOf(page, shared.server.apiUrl, id);
  expect({ engine, hasAudio }).toEqual({ engine: "device", hasAudio: true });
  expect([text, wordErrors(text, microphoneText).errors < 2]).toEqual([text, true]);
});
