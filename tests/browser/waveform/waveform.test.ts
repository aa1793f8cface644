import type { Page } from "playwright";
import { test } from "vitest";
import { wavHeader } from "#server/speech/wav.ts";
import { expect, screenshots, sharedPage, sharedParlance } from "#tests/browser/harness.ts";
import { violations } from "#tests/browser/harness-axe.ts";
import { putTranscript, spokenSegment } from "#tests/browser/harness-transcript.ts";
import { buzzWav, silentWav } from "#tests/server/jobs/scripted.ts";

const shared = sharedParlance({ acrossFiles: true });
const pages = sharedPage(shared);

/** Two seconds of a voice, four of silence, four of a voice. */
const sounds = [buzzWav(2), silentWav(4), buzzWav(2), buzzWav(2)].map((wav) => wav.subarray(44));
const wav = Buffer.concat([wavHeader(10 * 16_000), ...sounds]);
const talk = [spokenSegment("Good morning to you all.", 0, 2), spokenSegment("And now we go on.", 6, 10)];

const slider = (page: Page) => page.getByRole("slider", { name: "Position" });
const surface = (page: Page) => page.locator("[data-covers-bottom] canvas").last();
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
/**
 * Waits until the position exceeds this second or jumps back.
 * @returns the positions meanwhile in seconds
 */
const played = (page: Page, until: number) =>
  slider(page).evaluate((input, end) => {
    const seen: number[] = [];
    return new Promise<number[]>((resolve) => {
      const look = () => {
        const now = input instanceof HTMLInputElement ? Number(input.value) : 0;
        const isOver = now > end || now < (seen.at(-1) ?? 0);
        seen.push(now);
        if (isOver) resolve(seen);
        else requestAnimationFrame(look);
      };
      look();
    });
  }, until);

async function drag(page: Page, from: number, to: number): Promise<void> {
  const box = (await surface(page).boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 };
  const at = (seconds: number) => [box.x + (seconds / 10) * box.width, box.y + box.height / 2] as const;
  await page.mouse.move(...at(from));
  await page.mouse.down();
  await page.mouse.move(...at(to), { steps: 3 });
  await page.mouse.up();
}

// PROMISE player: A waveform is computed once, clicked, zoomed, repeated in part, without silences
test("seeks in a waveform, zooms it, loops a part of it, and skips its silence", {
  tags: "quick",
}, async () => {
  const { page } = await pages.begin((_, own) => putTranscript(shared.server, own, { segments: talk, wav }));
  const status = page.locator("[data-covers-bottom]").getByRole("status");
  // The server computes the waveform now, because nothing has decoded this audio before.
  await button(page, "Skip silence").waitFor();
  await drag(page, 3, 8);
  await expect.poll(async () => Number(await slider(page).inputValue())).toBeCloseTo(8, 0);
  await slider(page).press("+");
  await expect(status).toHaveText("Showing 0:05 of 0:10.");
  await expect(button(page, "Zoom in")).toHaveAttribute("aria-disabled", "true");
  await screenshots(page, "waveform-zoomed");
  await slider(page).press("-");
  await expect(status).toHaveText("");

  await page.getByRole("combobox", { name: "Speed" }).selectOption("2");
  await page.keyboard.down("Shift");
  await drag(page, 1.5, 0.5);
  await page.keyboard.up("Shift");
  await expect(status).toHaveText("Looping 0:00 to 0:01.");
  await button(page, "Play").click();
  expect(Math.max(...(await played(page, 3)))).toBeLessThan(2);
  await screenshots(page, "waveform-loop");
  expect(await violations(page)).toEqual([]);
  await button(page, "End loop").click();
  await expect(button(page, "End loop")).toBeFocused();

  await button(page, "Skip silence").click();
  await expect(status).toHaveText("Skipping 0:03 of silence.");
  const seen = await played(page, 6.5);
  expect(seen.filter((seconds) => seconds > 3 && seconds < 5)).toEqual([]);
  expect(seen.at(-1)).toBeGreaterThan(6.5);
});
