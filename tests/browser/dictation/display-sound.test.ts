import { fileURLToPath } from "node:url";
import type { Page } from "playwright";
import { test } from "vitest";
import { expect, openPage, openSignedIn, screenshots, sharedParlance } from "#tests/browser/harness.ts";
import { violations } from "#tests/browser/harness-axe.ts";
import { microphoneEnd } from "#tests/fixtures/audio/texts.ts";

// The browser's own sharing; what stands for the sound of a tab is the file that the microphone would speak (Chromium's fake devices).

const speaks = fileURLToPath(new URL("../../fixtures/audio/microphone.wav", import.meta.url));
const shared = sharedParlance({ browser: { microphone: { speaks } } });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** Keeps what the browser shares, so that a test can end it as its bar does. */
const keepDisplayStreams = () => {
  const devices = navigator.mediaDevices;
  const share = devices.getDisplayMedia.bind(devices);
  devices.getDisplayMedia = async (wish) => {
    const stream = await share(wish);
    if (sessionStorage.getItem("withoutSound") !== null) for (const track of stream.getAudioTracks()) stream.removeTrack(track);
    const pictures = stream.getVideoTracks();
    addEventListener("end-sharing", () => {
      for (const track of stream.getTracks()) track.dispatchEvent(new Event("ended"));
      document.title = pictures.map(({ readyState }) => readyState).join();
    });
    return stream;
  };
};

test("the sound of a tab is written down, with captions in a window on top, until it is not shared any more", async () => {
  // Chromium reports it whenever pictures are asked for, also where that is not by a camera.
  await using visit = await openPage(shared.browser, { expected: [/camera is not allowed/] });
  const { page } = visit;
  await page.addInitScript(keepDisplayStreams);
  await openSignedIn(page, shared.server, "/speech-to-text");
  await page.getByText("Listen to").first().click();
  const source = page.getByLabel("Listen to");
  await source.selectOption({ label: "The sound of a tab or of the computer" });
  await page.getByText("nothing of the picture is kept").waitFor();
  await screenshots(page, "shared-sound-choice");

  // Chosen without its sound: it is said what to do, and nothing is recorded.
  await page.evaluate(() => sessionStorage.setItem("withoutSound", ""));
  await button(page, "Start recording").click();
  await page.getByText("What you chose has come without its sound.").waitFor();
  await page.evaluate(() => sessionStorage.removeItem("withoutSound"));
  await button(page, "Try again").click();
  await expect(page.getByRole("meter", { name: "Sound level" })).toHaveCount(1);

  const opening = page.waitForEvent("popup");
  await button(page, "Captions on top").click();
  const captions = await opening;
  const words = captions.getByTestId("captions-in-sight");
  // The last lines: what was said before is on the page.
  await expect(words).toContainText(microphoneEnd);
  await expect(captions.locator("html")).toHaveAttribute("lang", "en");
  await button(captions, "High contrast").click();
  await expect(words.locator("..")).toHaveCSS("background-color", "rgb(0, 0, 0)");
  await button(captions, "Larger text").click();
  await screenshots(captions, "captions-window");
  expect(await violations(captions)).toEqual([]);
  await button(page, "Close the captions").click();
  await expect.poll(() => captions.isClosed()).toBe(true);
  await button(page, "Captions on top").waitFor();

  await page.evaluate(() => dispatchEvent(new Event("end-sharing")));
  await page.getByText("Sharing has ended.").waitFor();
  await expect(page).toHaveTitle("ended");
  await page.waitForURL(/\/transcription\//);
  await page.getByText(microphoneEnd).first().waitFor();
});
