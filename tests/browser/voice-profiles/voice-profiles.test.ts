import { readFile, rm } from "node:fs/promises";
import type { Page } from "playwright";
import * as v from "valibot";
import { afterAll, beforeAll, test } from "vitest";
import { expect, openPage, openSignedIn, sharedParlance } from "#tests/browser/harness.ts";
import { ownConnection } from "#tests/browser/harness-account.ts";
import { violations } from "#tests/browser/harness-axe.ts";
import { transcriptionOf } from "#tests/browser/harness-files.ts";
import { installTinySpeakers, interviewIn } from "#tests/browser/harness-speakers.ts";
import { makeTemporaryFolder } from "#tests/fixtures/temporary-root.ts";
import { timeLimit } from "#tests/fixtures/time-limit.ts";

const shared = sharedParlance();
let folder = "";
let recording = "";

beforeAll(async () => {
  folder = await makeTemporaryFolder();
  await installTinySpeakers(folder, shared.server.dataDir);
  recording = await interviewIn(folder, "market.wav");
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const names = (page: Page) => page.getByRole("list", { name: "Transcript" }).getByRole("button", { name: /: change name/ });
const card = (page: Page) => page.getByRole("region", { name: "Voice recognition" });

/**
 * Expects that axe-core finds no violation in a part of the page.
 * @param part a CSS selector
 */
const isAccessible = async (page: Page, part: string) => expect(await violations(page, { part })).toEqual([]);

/**
 * Uploads the recording, and opens its transcript when the speakers are detected.
 * @returns the transcription's id
 */
async function record(page: Page): Promise<string> {
  const token = await page.evaluate(() => localStorage.getItem("jwtToken"));
  const answer = await page.request.post(`${shared.server.apiUrl}/api/v1/audio-transcriptions/upload-and-transcribe`, {
    headers: { ...ownConnection, Authorization: `Bearer ${token}` },
    multipart: {
      clientId: crypto.randomUUID(),
      sourceLanguage: "en",
      speakers: "1",
      file: { name: "interview.wav", mimeType: "audio/wav", buffer: await readFile(recording) },
    },
  });
  const { id } = v.parse(v.object({ id: v.string() }), await answer.json());
  const status = async () => (await transcriptionOf(page, shared.server.apiUrl, id)).status;
  await expect.poll(status, { timeout: timeLimit(90_000) }).toBe("completed");
  await page.goto(shared.at(`/transcription/${id}`));
  await expect(names(page)).toHaveCount(2);
  return id;
}

test("suggests a named voice in the next recording, lets the user accept, undo and decline, and deletes it", async () => {
  await using visit = await openPage(shared.browser);
  const { page } = visit;
  await openSignedIn(page, shared.server, "/settings/transcription");
  await card(page).getByText("Voice prints are biometric data.").waitFor();
  await button(page, "Turn on").click();
  await card(page).getByText("No profiles yet.").waitFor();

  await record(page);
  await names(page).nth(1).click();
  await page.keyboard.type("Ada");
  await button(page, "Rename everywhere").click();
  await expect(names(page)).toHaveText(["Speaker 1", "Ada"]);

  const second = await record(page);
  await page.getByText("Is this Ada?").waitFor();
  await isAccessible(page, "main ol");
  await expect(names(page)).toHaveText(["Speaker 1", "Speaker 2"]);
  await button(page, "Yes, Speaker 2 is Ada").click();
  await expect(names(page)).toHaveText(["Speaker 1", "Ada"]);
  await expect(page.getByText("Is this Ada?")).toHaveCount(0);
  await expect(names(page).nth(1)).toBeFocused();
  const speakers = async () => (await transcriptionOf(page, shared.server.apiUrl, second)).segments.at(-1)?.speaker;
  await expect.poll(speakers).toBe("Ada");
  await page.keyboard.press("ControlOrMeta+z");
  await expect(names(page)).toHaveText(["Speaker 1", "Speaker 2"]);
  await button(page, "No, Speaker 2 is not Ada").click();
  await expect.poll(speakers).toBe("2");
  await expect(page.getByText("Is this Ada?")).toHaveCount(0);
  await page.reload();
  await expect(names(page)).toHaveCount(2);
  await expect(page.getByText("Is this Ada?")).toHaveCount(0);

  await page.goto(shared.at("/settings/transcription"));
  await card(page).getByText("Recordings: 1").waitFor();
  await isAccessible(page, "[aria-labelledby=voice-profiles]");
  await button(page, "Delete Ada").click();
  await page.getByRole("dialog", { name: "Delete the voice profile of Ada?" }).getByRole("button", { name: "Delete" }).click();
  await card(page).getByText("No profiles yet.").waitFor();
  await button(page, "Turn off").click();
  await button(page, "Turn off and delete all").click();
  await button(page, "Turn on").waitFor();
});
