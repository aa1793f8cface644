import { fileURLToPath } from "node:url";
import type { Page } from "playwright";
import { test } from "vitest";
import { expect, openPage, openSignedIn, screenshots, sharedParlance } from "#tests/browser/harness.ts";
import { violations } from "#tests/browser/harness-axe.ts";
import { microphoneEnd } from "#tests/fixtures/audio/texts.ts";

// The browser's own screen sharing. Chromium's fake devices play the microphone's file as the tab's sound.

const speaks = fileURLToPath(new URL("../../fixtures/audio/microphone.wav", import.meta.url));
const shared = sharedParlance({ browser: { microphone: { speaks } } });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** Gives the test the shared stream, so that it can end the stream as the browser's bar does. */
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

test("transcribes a tab's sound with captions in a window on top until sharing ends", async () => {
  // Chromium reports this for every request of pictures, even without a camera.
  await using visit = await openPage(shared.browser, { expected: [/camera is not allowed/] });
  const { page } = visit;
  await page.addInitScript(keepDisplayStreams);
  await openSignedIn(page, shared.server, "/speech-to-text");
  await page.getByText("Audio source").first().click();
  const source = page.getByLabel("Audio source");
  await source.selectOption({ label: "Audio of a tab or of the computer" });
  await page.getByText("Only the audio is recorded, not the picture").waitFor();
  await screenshots(page, "shared-sound-choice");

  // A share without sound shows an explanation and starts no recording.
  await page.evaluate(() => sessionStorage.setItem("withoutSound", ""));
  await button(page, "Start recording").click();
  await page.getByText("Your choice was shared without its audio.").waitFor();
  await page.evaluate(() => sessionStorage.removeItem("withoutSound"));
  await button(page, "Try again").click();
  await expect(page.getByRole("meter", { name: "Sound level" })).toHaveCount(1);

  const opening = page.waitForEvent("popup");
  await button(page, "Floating captions").click();
  const captions = await opening;
  const words = captions.getByTestId("captions-in-sight");
  // The window shows only the last lines; the page has the earlier ones.
  await expect(words).toContainText(microphoneEnd);
  await expect(captions.locator("html")).toHaveAttribute("lang", "en");
  await button(captions, "High contrast").click();
  await expect(words.locator("..")).toHaveCSS("background-color", "rgb(0, 0, 0)");
  await button(captions, "Larger text").click();
  await screenshots(captions, "captions-window");
  expect(await violations(captions)).toEqual([]);
  await button(page, "Close captions").click();
  await expect.poll(() => captions.isClosed()).toBe(true);
  await button(page, "Floating captions").waitFor();

  await page.evaluate(() => dispatchEvent(new Event("end-sharing")));
  await page.getByText("Sharing has ended.").waitFor();
  await expect(page).toHaveTitle("ended");
  await page.waitForURL(/\/transcription\//);
  await page.getByText(microphoneEnd).first().waitFor();
});
