import type { Page } from "playwright";
import { test } from "vitest";
import type { Transcription, VaultAnswer } from "#contract/index.ts";
import { wordErrors } from "#speech/word-errors.ts";
import { decryptWith, openWithRecoveryKey } from "#src/features/vault/encryption.ts";
import { expect, openPage, screenshots, sharedParlance } from "#tests/browser/harness.ts";
import { violations } from "#tests/browser/harness-axe.ts";
import { holds } from "#tests/browser/harness-data.ts";
import { fixture, recordMicrophone } from "#tests/browser/harness-files.ts";
import { button, choose, listed, openVault } from "#tests/browser/harness-vault.ts";
import { marketText, microphoneText } from "#tests/fixtures/audio/texts.ts";

const shared = sharedParlance({ browser: { microphone: { speaks: fixture("microphone.wav") } } });

/** The server's data of a vault: its sealed keys, its items, and their encrypted texts. */
function fetchVault(page: Page): Promise<{ vault: VaultAnswer; texts: number[][] }> {
  return page.evaluate(async () => {
    const api = document.querySelector<HTMLMetaElement>("meta[name=parlance-api]")?.content;
    const headers = { Authorization: `Bearer ${localStorage.getItem("jwtToken")}` };
    const ask = (path: string) => fetch(`${api}/api/v1/encrypted-audio${path}`, { headers });
    const vault = await (await ask("")).json();
    const texts: number[][] = [];
    for (const { id } of vault.items) texts.push([...new Uint8Array(await (await ask(`/${id}/text`)).arrayBuffer())]);
    return { vault, texts };
  });
}

// PROMISE vault: A text is recognized on this device: the server is sent no word of it
test("transcribes a recording and a dropped file on the device, and sends the server no word of them", {
  tags: "quick",
}, async () => {
  const { browser, server } = shared;
  await using visit = await openPage(browser, { expected: [/ERR_INTERNET_DISCONNECTED/] });
  const { page } = visit;
  const sent: string[] = [];
  page.on("request", (request) => sent.push(`${request.url()} ${request.postDataBuffer()?.toString("latin1") ?? ""}`));
  const recoveryKey = await openVault(page, server);
  await page.getByLabel("Transcribe on this device (English)").check();
  await button(page, /^Download model/).click();
  await page.getByText("The model is on this device.").waitFor({ state: "attached" });
  expect(await violations(page)).toEqual([]);
  await recordMicrophone(page);
  await screenshots(page, "vault-words");
  expect(await violations(page)).toEqual([]);
  await button(page, "Stop").click();
  await listed(page).getByText("with transcript").waitFor();

  await page.locator("input[type=file]").first().setInputFiles(fixture("market.wav"));
  await expect(listed(page)).toHaveCount(2);
  await page.context().setOffline(true);
  await choose(listed(page).first(), "Transcribe on this device");
  await listed(page)
    .getByText(/Cannot connect to server/)
    .waitFor();
  await page.context().setOffline(false);
  await choose(listed(page).first(), "Transcribe on this device");
  await expect(listed(page).getByText("with transcript")).toHaveCount(2);
  expect(await violations(page)).toEqual([]);

  const { vault, texts } = await fetchVault(page);
  const identity = await openWithRecoveryKey(vault.vault?.recoverySealed ?? "", recoveryKey);
  const read = async (cipher: number[] = []): Promise<Transcription> =>
    JSON.parse(new TextDecoder().decode(await decryptWith(identity, Uint8Array.from(cipher))));
  const [dropped, recorded] = [await read(texts[0]), await read(texts[1])];
  expect(recorded).toMatchObject({ engine: "moonshine-tiny-en", sourceLanguage: "en-US" });
  expect(wordErrors(recorded.text, microphoneText).errors).toBeLessThan(2);
  expect(recorded.segments.flatMap(({ words }) => words).every(({ start, end }) => start <= end && end < 10)).toBe(true);
  expect([dropped.title, dropped.text]).toEqual(["market.wav", marketText]);
  for (const { text } of [...recorded.segments, ...dropped.segments]) {
    const some = text.slice(0, 20);
    expect([some, await holds(server, some), sent.filter((request) => request.includes(some))]).toEqual([some, false, []]);
  }
});
