import { test } from "vitest";
import { expect, sharedPage, sharedParlance } from "#tests/browser/harness.ts";
import { fixture } from "#tests/browser/harness-files.ts";
import { microphoneEnd, microphoneText } from "#tests/fixtures/audio/texts.ts";

// The server is killed during a turn; during a dictation: tests/browser/dictation/dictation.test.ts.

const shared = sharedParlance({ browser: { microphone: { speaks: fixture("microphone.wav") } } });
const pages = sharedPage(shared);

test("loses nothing when the server is killed during a turn and comes back", async () => {
  const { page } = await pages.begin("/voice-translator", [/ERR_|WebSocket connection|Failed to load resource/]);
  const inStatus = (status: string) => page.locator(`[data-status="${status}"]`);
  const words = page.getByTestId("words-0");
  const english = page.getByRole("button", { name: /^English/ });
  await inStatus("idle").waitFor();
  await english.click();
  // Only the first word: interim words may still change.
  await words.getByText(/please/i).waitFor();
  await shared.server.kill();
  await inStatus("offline").waitFor();
  await shared.server.restart();
  await words.getByText(microphoneEnd).waitFor();
  await english.click();
  await page.locator("[data-turn]").first().waitFor();
  await expect(words).toHaveText(microphoneText);
});
