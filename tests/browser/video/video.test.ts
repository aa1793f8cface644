import { readFile } from "node:fs/promises";
import type { Page } from "playwright";
import { test } from "vitest";
import { expect, screenshots, sharedPage, sharedParlance } from "#tests/browser/harness.ts";
import { violations } from "#tests/browser/harness-axe.ts";
import { putVideo, spokenSegment } from "#tests/browser/harness-transcript.ts";

const shared = sharedParlance({ acrossFiles: true });
const pages = sharedPage(shared);

const segments = [
  spokenSegment("The harbour is quiet this morning.", 0, 4, { translation: "El puerto está tranquilo esta mañana." }),
  spokenSegment("Then the market opens.", 4.5, 9, { translation: "Luego abre el mercado." }),
];

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
/** The captions that the video currently shows. */
const shown = (page: Page) =>
  page.locator("video").evaluate((video) => {
    if (!(video instanceof HTMLVideoElement)) return [];
    const cues = [...video.textTracks].flatMap((track) => [...(track.activeCues ?? [])]);
    return cues.map((cue) => (cue instanceof VTTCue ? cue.getCueAsHTML().textContent : ""));
  });

// PROMISE player: A video shows its picture, captions in both languages, and takes them into a file
test("shows a video with captions beside its text, and downloads it with the captions", {
  tags: "quick",
}, async () => {
  const clip = await readFile(new URL("../../fixtures/audio/harbor.mp4", import.meta.url));
  const { page } = await pages.begin((_, own) => putVideo(shared.server, own, { segments, targetLanguage: "es", clip }));
  const video = page.locator("video");
  await expect.poll(() => video.evaluate((element) => element instanceof HTMLVideoElement && element.videoWidth)).toBe(160);
  const slider = page.getByRole("slider", { name: "Position" });
  await slider.fill("1");
  await expect.poll(() => shown(page)).toEqual(["The harbour is quiet this morning."]);
  const captions = page.getByRole("combobox", { name: "Captions" });
  await captions.selectOption({ label: "Both" });
  await expect.poll(() => shown(page)).toEqual(["The harbour is quiet this morning.\nEl puerto está tranquilo esta mañana."]);
  expect(await violations(page)).toEqual([]);
  await screenshots(page, "video");

  await button(page, "Hide the video").click();
  await expect(video).toBeHidden();
  await button(page, "Play").click();
  await expect.poll(async () => Number(await slider.inputValue())).toBeGreaterThan(1.2);
  await button(page, "Pause").click();
  await button(page, "Hide the video").press("Enter");
  await expect(video).toBeVisible();

  await page.getByText("Subtitles and video").click();
  const subtitles = page.waitForEvent("download");
  await button(page, "Subtitles in both languages (.vtt in a ZIP file)").click();
  expect((await subtitles).suggestedFilename()).toBe("A talk.zip");
  await page.getByText("Subtitles and video").click();
  await button(page, "Video with captions: both").click();
  const downloaded = page.waitForEvent("download");
  await button(page, "Download").click();
  expect((await downloaded).suggestedFilename()).toBe("A talk.mp4");
  await screenshots(page, "video-captioned");
  await button(page, "Delete").last().click();
  await expect(button(page, "Download")).toBeHidden();
});
