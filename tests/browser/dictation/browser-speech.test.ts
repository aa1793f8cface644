import { fileURLToPath } from "node:url";
import type { Page } from "playwright";
import { test } from "vitest";
import { expect, openPage, openSignedIn, screenshots, sharedParlance } from "#tests/browser/harness.ts";

const speaks = fileURLToPath(new URL("../../fixtures/audio/microphone.wav", import.meta.url));
const shared = sharedParlance({ acrossFiles: true, browser: { microphone: { speaks } } });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

interface StandIn {
  started: { lang: string; processLocally: boolean; track: string | undefined };
  say(index: number, text: string, isFinal: boolean): void;
  end(error?: string): void;
}

/**
 * Replaces the recognizer: Chromium has the constructor, but no service behind it. The page, the microphone, the server
 * and the storage are real. The test decides which words are recognized.
 */
function installStandIn() {
  class Recognizer {
    onresult: ((event: { results: object[] }) => void) | null = null;
    onerror: ((event: { error: string }) => void) | null = null;
    onend: (() => void) | null = null;
    lang = "";
    processLocally = false;
    start(track?: MediaStreamTrack) {
      const results: object[] = [];
      const started = { lang: this.lang, processLocally: this.processLocally, track: track?.kind };
      const say = (index: number, transcript: string, isFinal: boolean) => {
        results[index] = { isFinal, 0: { transcript } };
        this.onresult?.({ results });
      };
      const end = (error?: string) => {
        if (error !== undefined) this.onerror?.({ error });
        this.onend?.();
      };
      Object.assign(globalThis, { recognizer: { started, say, end } satisfies StandIn });
    }
    stop() {
      this.onend?.();
    }
    abort() {}
  }
  Object.assign(globalThis, { SpeechRecognition: Recognizer, webkitSpeechRecognition: Recognizer });
}

declare const recognizer: StandIn | undefined;

const started = (page: Page) => page.evaluate(() => (typeof recognizer === "undefined" ? null : recognizer.started));
const hears = (page: Page, index: number, text: string, isFinal: boolean) =>
  page.evaluate(([i, said, final]) => recognizer?.say(i, said, final), [index, text, isFinal] as const);
const ends = (page: Page, error?: string) => page.evaluate((code) => recognizer?.end(code), error);

// PROMISE speech: The browser's own speech service is used only with the person's consent
test("dictates with the browser's own speech service after consent, and saves the recording as usual", async () => {
  await using visit = await openPage(shared.browser);
  const { page } = visit;
  await page.addInitScript(installStandIn);
  await openSignedIn(page, shared.server, "/speech-to-text");
  const spoken = page.getByRole("combobox", { name: "Spoken language" });
  await spoken.selectOption("de-DE");
  await expect(spoken.locator("optgroup")).toHaveAttribute(
    "label",
    /Recognized by this browser \(its vendor may get the audio\)/,
  );
  await page.getByText(/Let this browser recognize German/).waitFor();
  await page.getByText(/Files in German.* can’t be transcribed/).waitFor();
  await screenshots(page, "browser-speech-question", { fullPage: true });
  await button(page, "Start recording").click({ force: true });
  await page
    .getByText("Agree that this browser’s vendor may get the audio, or choose another language", { exact: false })
    .first()
    .waitFor();
  expect(await started(page)).toBeNull();

  await button(page, "Agree and continue").click();
  await button(page, "Start recording").click();
  await expect.poll(() => started(page)).toEqual({ lang: "de-DE", processLocally: false, track: "audio" });
  await hears(page, 0, "guten", false);
  await page.getByTestId("partial").getByText("guten").waitFor();
  await hears(page, 0, "Guten Tag", true);
  await ends(page);
  await hears(page, 0, "zusammen", false);
  await ends(page, "network");
  await page.getByText(/speech service can’t be reached/).waitFor();
  await expect.poll(() => page.getByTestId("captions").textContent()).toMatch(/Guten Tag[\s\S]*zusammen/);
  await screenshots(page, "browser-speech-network", { fullPage: true });
  await button(page, "Stop").click();
  // The segments have times, but the words don't.
  for (const text of ["Guten Tag", "zusammen"]) await page.getByText(text, { exact: true }).first().waitFor();
  await button(page, "Play").first().waitFor();

  await page.getByRole("link", { name: "Speech to text" }).first().click();
  await button(page, "Withdraw consent").click();
  await page.getByText(/Let this browser recognize German/).waitFor();
});
