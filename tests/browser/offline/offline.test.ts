import type { Page } from "playwright";
import { test } from "vitest";
import { enter, expect, openPage, openSignedIn, screenshots, sharedParlance } from "#tests/browser/harness.ts";
import { violations } from "#tests/browser/harness-axe.ts";
import { fixture } from "#tests/browser/harness-files.ts";
import { installed, serverAway } from "#tests/browser/harness-offline.ts";
import { putTranscript } from "#tests/browser/harness-transcript.ts";

const shared = sharedParlance({ browser: { microphone: { speaks: fixture("microphone.wav") } } });
/** The page can only find out by a request whether the server is back. */
const isProbe = /ERR_.*favicon\.svg/;

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

// PROMISE offline: The page opens without a network; a new version interrupts nothing
// PROMISE offline: A dictation without a network waits in the browser, and is sent by itself
test("opens every page without a network, and sends an offline dictation when the network returns", {
  tags: "quick",
}, async () => {
  await using visit = await openPage(shared.browser, { context: { serviceWorkers: "allow" }, expected: [serverAway] });
  const { page } = visit;
  const open = (path: string) => page.goto(new URL(path, shared.server.url).href);
  await openSignedIn(page, shared.server, "/speech-to-text");
  await installed(page);
  await page.context().setOffline(true);

  await open("/voice-translator");
  await page.getByText("Translating a conversation needs the server.").waitFor();
  await open(`/transcription/${crypto.randomUUID()}`);
  await page.getByText("This transcript isn’t stored on this device.").waitFor();
  await open("/dashboard");
  await page.getByText("Your transcripts are on the server.").waitFor();
  expect(await violations(page)).toEqual([]);
  await button(page, "Dictate").click();
  await page.getByRole("status").getByText("Offline", { exact: true }).waitFor();
  await button(page, "Start recording").click();
  await page.getByText(/^0:0[1-9] of audio is stored in this browser\.$/).waitFor();
  await button(page, "Stop").click();
  await page.getByText("1 recording is waiting in this browser").waitFor();
  await expect(button(page, "Start recording")).toBeEnabled();
  await screenshots(page, "offline-dictation");

  await open("/dashboard");
  await page.getByText(/Will be transcribed in/).waitFor();
  await screenshots(page, "offline");
  await page.context().setOffline(false);
  await expect(page.getByRole("heading", { name: "You’re offline" })).toHaveCount(0);
  await expect(page.getByText("1 recording is waiting in this browser")).toHaveCount(0);
  await expect(page.locator('main a[href^="/transcription/"]')).toHaveCount(1);
});

// PROMISE offline: The 20 transcripts opened last can be read without a network, by nobody else
test("shows an opened transcript without a network, but only until its user logs out", async () => {
  await using visit = await openPage(shared.browser, { context: { serviceWorkers: "allow" }, expected: [isProbe] });
  const { page } = visit;
  const { server } = shared;
  const context = page.context();
  const open = (path: string) => page.goto(new URL(path, server.url).href);
  const segments = [
    { start: 0, end: 2, text: "The ferry leaves.", words: [], speaker: "Ada", translation: "Die Fähre legt ab." },
  ];
  const made = { title: "Harbour", targetLanguage: "de", segments };
  const person = await openSignedIn(page, server, (_, tab) => putTranscript(server, tab, made));
  const path = new URL(page.url()).pathname;
  await button(page, "Share").waitFor();
  await installed(page);
  const away = async () => {
    // No request is pending when the network goes.
    await open("/robots.txt");
    await context.setOffline(true);
  };
  await away();
  await open(path);
  await page.getByRole("heading", { name: "Harbour" }).waitFor();
  await expect(page.getByRole("listitem").filter({ hasText: "The ferry leaves." })).toHaveText(/0:00.*Ada.*Die Fähre legt ab\.$/);
  await expect(button(page, "Share")).toHaveCount(0);
  const pill = button(page, "Offline");
  await pill.click();
  await page
    .getByText("You can dictate, and read the transcripts you opened last on this device")
    .filter({ visible: true })
    .waitFor();
  expect(await violations(page)).toEqual([]);
  await screenshots(page, "offline-transcript");
  await context.setOffline(false);
  await button(page, "Share").waitFor();
  await expect(pill).toHaveCount(0);

  await away();
  await open("/dashboard");
  await page.getByRole("link", { name: "Harbour" }).click();
  await page.getByText("The ferry leaves.").waitFor();
  await page.getByRole("main").getByRole("link", { name: "Dashboard" }).click();
  await page.getByRole("link", { name: "Harbour" }).click();
  await page.getByText("The ferry leaves.").waitFor();
  expect(visit.takeUnexpected()).toEqual([]);
  visit.expect(serverAway);
  await button(page, "Log out").click();
  await page.getByText("Signing in needs the server.").waitFor();
  await pill.waitFor();
  await open(path);
  await expect(page.getByText("The ferry leaves.")).toHaveCount(0);
  expect((await page.evaluate(() => caches.keys())).filter((name) => name.startsWith("parlance-personal-"))).toEqual([]);

  await context.setOffline(false);
  expect((await enter(page, server)).email).not.toBe(person.email);
  await away();
  await open(path);
  await page.getByText("This transcript isn’t stored on this device.").waitFor();
});
