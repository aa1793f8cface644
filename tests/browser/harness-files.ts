import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { CDPSession, Locator, Page } from "playwright";
import * as v from "valibot";
import { Transcription } from "#contract/index.ts";
import { wavHeader } from "#server/speech/wav.ts";
import { openSignedIn, ownConnection, type Person } from "./harness-account.ts";

/** The path of a recording in tests/fixtures/audio. */
export const fixture = (name: string) => fileURLToPath(new URL(`../fixtures/audio/${name}`, import.meta.url));

/**
 * Repeats talk.wav, so that upload and recognition take a while.
 * @param folder the folder for the new file
 * @returns the file's path
 */
export async function longTalk(folder: string, times: number): Promise<string> {
  const pcm = (await readFile(fixture("talk.wav"))).subarray(44);
  const path = join(folder, `talk ${times} times.wav`);
  await writeFile(path, Buffer.concat([wavHeader((pcm.length / 2) * times), ...Array<Buffer>(times).fill(pcm)]));
  return path;
}

/**
 * market.wav followed by silence, for `setInputFiles`: a large file that is recognized as quickly as a sentence.
 * @param seconds the length of both
 */
export async function quietFile(name: string, seconds: number): Promise<{ name: string; mimeType: string; buffer: Buffer }> {
  const pcm = (await readFile(fixture("market.wav"))).subarray(44);
  const samples = seconds * 16_000;
  const silence = Buffer.alloc(samples * 2 - pcm.length);
  return { name, mimeType: "audio/wav", buffer: Buffer.concat([wavHeader(samples), pcm, silence]) };
}

/**
 * Opens the page with the drop zone.
 * @param url the page's address; a user is signed in
 */
export async function openSpeech(page: Page, url: string): Promise<void> {
  await page.goto(new URL("/speech-to-text", url).href);
  await page.getByTestId("drop-zone").waitFor();
}

/** Opens the same page for a new user. */
export async function openDropZone(page: Page, server: { url: string; apiUrl: string }): Promise<Person> {
  const person = await openSignedIn(page, server, "/speech-to-text");
  await page.getByTestId("drop-zone").waitFor();
  return person;
}

const throttles = new WeakMap<Page, CDPSession>();

/**
 * Limits the upload speed.
 * @param uploadThroughput bytes per second; -1 for no limit
 */
export async function throttle(page: Page, uploadThroughput: number): Promise<void> {
  // Reuses the session: the limits of another session would stay in effect.
  const devtools = throttles.get(page) ?? (await page.context().newCDPSession(page));
  throttles.set(page, devtools);
  await devtools.send("Network.enable");
  const conditions = { offline: false, latency: 0, downloadThroughput: -1, uploadThroughput };
  await devtools.send("Network.emulateNetworkConditions", conditions);
}

/**
 * Drops files from outside the browser on a target.
 * @param paths absolute paths of files or folders
 * @param target dropped on below its upper edge
 */
export async function drop(page: Page, paths: string[], target = page.getByTestId("drop-zone")): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await target.scrollIntoViewIfNeeded();
  const box = await target.boundingBox();
  if (box === null) throw new Error("There is nothing to drop on.");
  const data = { items: [], files: paths, dragOperationsMask: 1 };
  const at = { x: box.x + box.width / 2, y: box.y + 10 };
  // A mouse sends many dragOver events; the second one reaches the element that has appeared under it meanwhile.
  for (const type of ["dragEnter", "dragOver", "dragOver", "drop"] as const) {
    await devtools.send("Input.dispatchDragEvent", { type, ...at, data });
  }
}

/** The rows of the list of files. */
export const rows = (page: Page) => page.getByTestId("upload");
export const rowOf = (page: Page, name: string) => rows(page).filter({ hasText: name });
/** The same row when it is in this state (machines/uploads/selectors.ts). */
export const inState = (row: Locator, state: string) => row.and(row.page().locator(`[data-state="${state}"]`));

/**
 * The server's transcription. A long transcript's page renders only the visible rows.
 * @param apiUrl the server's API; a user is signed in
 */
export async function transcriptionOf(page: Page, apiUrl: string, id: string): Promise<Transcription> {
  const token = await page.evaluate(() => localStorage.getItem("jwtToken"));
  const answer = await page.request.get(`${apiUrl}/api/v1/audio-transcriptions/transcription/${id}`, {
    headers: { ...ownConnection, Authorization: `Bearer ${token}` },
  });
  return v.parse(Transcription, await answer.json());
}

/** Records all of microphone.wav in a browser whose microphone plays it. */
export async function recordMicrophone(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Start recording" }).click();
  await page
    .getByTestId("captions")
    .getByText(/please/i)
    .first()
    .waitFor();
  await page.getByText(/^(0:09|0:[1-5]\d|[1-9]:\d\d)$/).waitFor();
}
