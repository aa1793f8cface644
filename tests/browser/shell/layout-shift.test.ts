import { fileURLToPath } from "node:url";
import type { Page } from "playwright";
import { test } from "vitest";
import { expect, openSignedIn, sharedPage, sharedParlance } from "#tests/browser/harness.ts";
import { enterAsSuperuser } from "#tests/browser/harness-account.ts";
import { drop, fixture, inState, openDropZone, openSpeech, rowOf } from "#tests/browser/harness-files.ts";

const speaks = fileURLToPath(new URL("../../fixtures/audio/microphone.wav", import.meta.url));
const shared = sharedParlance({ browser: { microphone: { speaks } } });
const pages = sharedPage(shared);

/** Sums of `layout-shift` scores: shifts without input, and shifts within half a second after input. */
interface Moved {
  alone: number;
  pressed: number;
  /** The highest score of a single frame. */
  once: number;
}
/** The highest score that people don't notice. */
const most = 0.02;

/** Records on `window` all past and future shifts of the page. */
const watch = () => {
  const moved: Moved = { alone: 0, pressed: 0, once: 0 };
  Object.assign(window, { moved });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      const score = Number(Reflect.get(entry, "value"));
      moved[Reflect.get(entry, "hadRecentInput") === true ? "pressed" : "alone"] += score;
      moved.once = Math.max(moved.once, score);
    }
  }).observe({ type: "layout-shift", buffered: true });
};

/** @returns the shifts since the last call; the observer gets a frame's shifts after it is drawn */
const takeMoved = (page: Page) =>
  page.evaluate(async (): Promise<Moved> => {
    await new Promise((drawn) => requestAnimationFrame(() => setTimeout(drawn, 50)));
    const moved = Reflect.get(window, "moved");
    const taken = { ...moved };
    Object.assign(moved, { alone: 0, pressed: 0, once: 0 });
    return taken;
  });

test("moves nothing on the page when a translation is chosen, files are added, and a dictation runs", async () => {
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

const sizes = [
  [1440, 900],
  [390, 844],
] as const;

/** Delays each answer of the server by this many ms. */
const answerLate = (page: Page, ms = 300) =>
  page.route(`${shared.server.apiUrl}/**`, async (route) => {
    await new Promise((late) => setTimeout(late, ms));
    await route.continue();
  });

test.for(sizes)(
  "moves nothing when uploads open, a file is chosen or a dictation begins, at %i by %i",
  async ([width, height]) => {
    const { page } = await pages.empty();
    await page.setViewportSize({ width, height });
    await openDropZone(page, shared.server);
    await page.goto(new URL("/file-upload-config", shared.server.url).href);
    await page.getByRole("combobox", { name: "Translate to" }).waitFor();
    await page.evaluate(watch);
    const opening = await takeMoved(page);
    expect(opening.alone + opening.pressed, `opening: ${JSON.stringify(opening)}`).toBeLessThan(most);

    await page.getByTestId("drop-zone").locator("input[type=file]").setInputFiles(fixture("market.mp3"));
    await page.getByTestId("chosen").getByText("market.mp3").waitFor();
    const choice = await takeMoved(page);
    expect(choice.alone + choice.pressed, `choice: ${JSON.stringify(choice)}`).toBeLessThan(most);

    await openSpeech(page, shared.server.url);
    await page.evaluate(watch);
    await page.getByRole("button", { name: "Start recording", exact: true }).click();
    await page.getByRole("meter", { name: "Microphone level" }).waitFor();
    const dictation = await takeMoved(page);
    expect(dictation.alone + dictation.pressed, `dictation: ${JSON.stringify(dictation)}`).toBeLessThan(most);
  },
);

test.for(sizes)(
  "turns two files dropped on an empty dashboard into transcripts in place, at %i by %i",
  async ([width, height]) => {
    const { page } = await pages.empty();
    await page.setViewportSize({ width, height });
    await openSignedIn(page, shared.server, "/dashboard");
    await page.getByRole("heading", { name: "How do you want to start?" }).waitFor();
    await page.evaluate(() => document.fonts.ready);
    await answerLate(page);
    await page.evaluate(watch);
    await drop(page, [fixture("market.mp3"), fixture("silent.wav")], page.getByRole("heading", { level: 1 }));
    await expect(page.locator("[data-row]")).toHaveCount(2);
    await expect(page.getByTestId("upload")).toHaveCount(0);
    const files = await takeMoved(page);
    // The last unfinished row moves up when the row above it becomes a transcript, which then stands below.
    expect(files.once, `files: ${JSON.stringify(files)}`).toBeLessThan(most);
  },
);

/** Pages, each with an element that appears after the server's answer. */
const late = [
  ["/settings/data", "#stored"],
  ["/settings/transcription", "textarea[name=vocabulary]"],
  ["/settings/security", "#recent-sign-ins"],
  ["/settings/developer", "#webhooks"],
  ["/blog/admin/generator", "#generator-setup"],
] as const;

test.for(sizes)(
  "moves nothing in the settings and the generator while late answers arrive, at %i by %i",
  async ([width, height]) => {
    const { page } = await pages.empty();
    await page.setViewportSize({ width, height });
    await enterAsSuperuser(page, shared.server);
    await answerLate(page);
    for (const [path, answered] of late) {
      await page.goto(new URL(path, shared.server.url).href);
      await page.evaluate(watch);
      await page.locator(answered).waitFor();
      await page.waitForLoadState("networkidle");
      const opening = await takeMoved(page);
      expect(opening.alone + opening.pressed, `${path}: ${JSON.stringify(opening)}`).toBeLessThan(most);
    }
  },
);
