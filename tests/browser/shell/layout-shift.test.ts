import { fileURLToPath } from "node:url";
import type { Page } from "playwright";
import { test } from "vitest";
import { expect, sharedPage, sharedParlance } from "#tests/browser/harness.ts";
import { drop, fixture, inState, openDropZone, openSpeech, rowOf } from "#tests/browser/harness-files.ts";

const speaks = fileURLToPath(new URL("../../fixtures/audio/microphone.wav", import.meta.url));
const shared = sharedParlance({ browser: { microphone: { speaks } } });
const pages = sharedPage(shared);

/** Scores of `layout-shift`: of what moved by itself, and of what moved within half a second after a press or a key. */
interface Moved {
  alone: number;
  pressed: number;
}
/** People don't notice less. */
const most = 0.02;

/** Notes on the window what has moved since the page began, and what moves from now on. */
const watch = () => {
  const moved: Moved = { alone: 0, pressed: 0 };
  Object.assign(window, { moved });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      moved[Reflect.get(entry, "hadRecentInput") === true ? "pressed" : "alone"] += Number(Reflect.get(entry, "value"));
  }).observe({ type: "layout-shift", buffered: true });
};

/** @returns what has moved since the last time; the observer hears of a frame after it is drawn */
const takeMoved = (page: Page) =>
  page.evaluate(async (): Promise<Moved> => {
    await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 50)));
    const moved = Reflect.get(window, "moved");
    const taken = { ...moved };
    Object.assign(moved, { alone: 0, pressed: 0 });
    return taken;
  });

test("a translation that is chosen, two files, a dictation and its end push nothing away that stands on the page", async () => {
  const { page } = await pages.empty();
  await openDropZone(page, shared.server);
  await page.evaluate(() => document.fonts.ready);
  await page.evaluate(watch);
  const target = page.getByRole("combobox", { name: "Translate to" });
  for (const language of ["es", ""]) await target.selectOption(language);
  const translation = await takeMoved(page);
  expect(Math.max(translation.alone, translation.pressed), `translation: ${JSON.stringify(translation)}`).toBeLessThan(most);

  await drop(page, [fixture("market.mp3"), fixture("silent.wav")]);
  for (const name of ["market.mp3", "silent.wav"]) await inState(rowOf(page, name), "completed").waitFor();
  const files = await takeMoved(page);
  expect(Math.max(files.alone, files.pressed), `files: ${JSON.stringify(files)}`).toBeLessThan(most);

  await page.getByRole("button", { name: "Start recording", exact: true }).click();
  await page
    .getByTestId("captions")
    .getByText(/please/i)
    .waitFor();
  const dictation = await takeMoved(page);
  expect(Math.max(dictation.alone, dictation.pressed), `dictation: ${JSON.stringify(dictation)}`).toBeLessThan(most);

  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await page.waitForURL(/\/transcription\//);
  await page.locator("[data-start]").first().waitFor();
  const transcript = await takeMoved(page);
  expect(transcript.alone + transcript.pressed, `transcript: ${JSON.stringify(transcript)}`).toBeLessThan(most);
});

test.for([
  [1440, 900],
  [390, 844],
] as const)(
  "at %i by %i, the page of uploads stands still while it opens, and a dictation begins where its button is",
  async ([width, height]) => {
    const { page } = await pages.empty();
    await page.setViewportSize({ width, height });
    await openDropZone(page, shared.server);
    await page.goto(new URL("/file-upload-config", shared.server.url).href);
    await page.getByRole("combobox", { name: "Translate to" }).waitFor();
    await page.evaluate(watch);
    const opening = await takeMoved(page);
    expect(opening.alone + opening.pressed, `opening: ${JSON.stringify(opening)}`).toBeLessThan(most);

    await openSpeech(page, shared.server.url);
    await page.evaluate(watch);
    await page.getByRole("button", { name: "Start recording", exact: true }).click();
    await page.getByRole("meter", { name: "Microphone level" }).waitFor();
    const dictation = await takeMoved(page);
    expect(dictation.alone + dictation.pressed, `dictation: ${JSON.stringify(dictation)}`).toBeLessThan(most);
  },
);
