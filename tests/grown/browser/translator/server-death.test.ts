import { test } from "vitest";
import { expect, sharedPage, sharedParlance } from "#tests/browser/harness.ts";
import { fixture } from "#tests/browser/harness-files.ts";
import { microphoneEnd, microphoneText } from "#tests/fixtures/audio/texts.ts";

// The server is killed in the middle of a turn; a dictation: tests/browser/dictation/dictation.test.ts.

const shared = sharedParlance({ browser: { microphone: { speaks: fixture("microphone.wav") } } });
const pages = sharedPage(shared);

test("nothing is lost when the server is killed in the middle of a turn and comes back", async () => {
  const { page } = await pages.begin("/voice-translator", [/ERR_|WebSocket connection|Failed to load resource/]);
  const inStatus = (status: string) => page.locator(`[data-status="${status}"]`);
  const words = page.getByTestId("words-0");
  const english = page.getByRole("button", { name: /^English/ });
  await inStatus("idle").waitFor();
  await english.click();
  // The first word alone: what is heard while somebody speaks may still change.
  await words.getByText(/please/i).waitFor();
  await shared.server.kill();
  await inStatus("offline").waitFor();
  await shared.server.restart();
  await words.getByText(microphoneEnd).waitFor();
  await english.click();
  await page.locator("[data-turn]").first().waitFor();
  await expect(words).toHaveText(microphoneText);
});
