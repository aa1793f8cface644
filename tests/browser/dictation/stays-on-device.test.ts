import type { Page } from "playwright";
import { test } from "vitest";
import { wordErrors } from "#speech/word-errors.ts";
import { expect, openPage, openSignedIn, screenshots, sharedParlance } from "#tests/browser/harness.ts";
import { violations } from "#tests/browser/harness-axe.ts";
import { fixture, recordMicrophone, transcriptionOf } from "#tests/browser/harness-files.ts";
import { microphoneText } from "#tests/fixtures/audio/texts.ts";

const shared = sharedParlance({ browser: { microphone: { speaks: fixture("microphone.wav") } } });
const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name });

/** What leaves the page from now on: calls that change something or have a body, and connections for speech. */
function watchSending(page: Page): string[] {
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() !== "GET") sent.push(`${request.method()} ${request.url()}`);
  });
  page.on("websocket", (socket) => sent.push(socket.url()));
  return sent;
}

/** Says what microphone.wav says, once, up to the question what is to become of it. */
async function dictate(page: Page): Promise<void> {
  await recordMicrophone(page);
  await button(page, "Stop").click();
  await page.getByText("Written down, but not saved yet.").waitFor();
}

// PROMISE dictation: On this device, nothing of a dictation is sent before the person saves it
test("nothing of a dictation on this device is sent before it is saved, also after a reload, and never when it is thrown away", {
  tags: "quick",
}, async () => {
  await using visit = await openPage(shared.browser);
  const { page } = visit;
  await openSignedIn(page, shared.server, "/speech-to-text");
  await page.getByLabel("Listen", { exact: true }).selectOption("on this device");
  expect(await violations(page)).toEqual([]);
  await button(page, /^Download the model/).click();
  await page.getByText("The model is on this device.").waitFor({ state: "attached" });
  const sent = watchSending(page);
  await dictate(page);
  await expect(button(page, /^Save$/)).toBeFocused();
  await screenshots(page, "dictation-kept");
  expect(await violations(page)).toEqual([]);
  await button(page, "Throw away").click();
  await page.getByRole("dialog").getByRole("button", { name: "Throw away" }).click();
  await expect(button(page, "Start recording")).toBeEnabled();

  await dictate(page);
  await page.reload();
  await page.getByText("A recording is only on this device").waitFor();
  expect(await violations(page)).toEqual([]);
  await button(page, /^Open$/).click();
  await page.getByText("Written down, but not saved yet.").waitFor();
  expect(sent).toEqual([]);

  await button(page, /^Save$/).click();
  await page.waitForURL(/\/transcription\//);
  const id = page.url().split("/").at(-1) ?? "";
  const { engine, text, hasAudio } = await transcriptionOf(page, shared.server.apiUrl, id);
  expect({ engine, hasAudio }).toEqual({ engine: "device", hasAudio: true });
  expect([text, wordErrors(text, microphoneText).errors < 2]).toEqual([text, true]);
});
