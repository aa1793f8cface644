import { rm } from "node:fs/promises";
import type { Page } from "playwright";
import { afterAll, beforeAll, test } from "vitest";
import { expect, openPage, openSignedIn, sharedParlance } from "#tests/browser/harness.ts";
import { drop, transcriptionOf } from "#tests/browser/harness-files.ts";
import { installTinySpeakers, interviewIn } from "#tests/browser/harness-speakers.ts";
import { makeTemporaryFolder } from "#tests/fixtures/temporary-root.ts";

const shared = sharedParlance();
let folder = "";
let recording = "";

/** Installs the models into the data folder of the running server, and makes a recording of two voices. */
beforeAll(async () => {
  folder = await makeTemporaryFolder();
  await installTinySpeakers(folder, shared.server.dataDir);
  recording = await interviewIn(folder, "market.wav");
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const talkTimes = (page: Page) => page.getByRole("list", { name: "Talk time" }).getByRole("listitem");
const names = (page: Page) => page.getByRole("list", { name: "Transcript" }).getByRole("button", { name: /: change name/ });

async function openSpeakers(page: Page): Promise<void> {
  await page.getByLabel("Actions", { exact: true }).click();
  await page.getByRole("button", { name: "Speakers", exact: true }).click();
}

/** Starts the detection and waits for its end. With these small models the progress is too short to be seen. */
async function ask(page: Page, choice: string): Promise<void> {
  await page.getByText("Who spoke?", { exact: true }).click();
  const asked = page.waitForResponse((answer) => answer.request().method() === "PUT");
  await page.getByRole("button", { name: choice, exact: true }).click();
  expect((await asked).ok()).toBe(true);
  const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  const stage = async () => (await transcriptionOf(page, shared.server.apiUrl, id)).progress?.stage;
  await expect.poll(stage).toBe("finished");
}

test("detects speakers with the transcript and again for a given number, and keeps names with their voices", async () => {
  await using visit = await openPage(shared.browser);
  const { page } = visit;
  await openSignedIn(page, shared.server, "/file-upload-config");
  await expect(page.getByLabel("How many people speak?")).toHaveCount(0);
  await page.getByRole("checkbox", { name: /speaker/i }).check();
  await page.getByLabel("How many people speak?").selectOption("2");
  await page.goto(shared.at("/url-transcription-config"));
  await page.getByRole("checkbox", { name: /speaker/i }).check();
  await expect(page.getByLabel("How many people speak?")).toHaveValue("");
  await page.goBack();
  await drop(page, [recording]);
  await expect(page.getByLabel("How many people speak?")).toHaveValue("2");
  await page.getByRole("button", { name: "Start with 1 file" }).click();
  await page.getByRole("list", { name: "Steps" }).getByText("Identifying the speakers").waitFor();
  await page.getByRole("button", { name: "Open the transcript" }).click();
  await openSpeakers(page);
  await expect(talkTimes(page)).toHaveText([/^Speaker 1/, /^Speaker 2/]);
  await expect(names(page)).toHaveCount(2);
  const before = (await page.locator("[data-start]").allTextContents()).join(" ");

  await names(page).nth(1).click();
  await page.keyboard.type("Ada");
  await page.getByRole("button", { name: "Rename everywhere" }).click();
  await expect(talkTimes(page)).toHaveText([/^Speaker 1/, /^Ada/]);
  for (const choice of ["Identify speakers", "2 people"]) {
    await ask(page, choice);
    await expect(page.getByText("Identifying the speakers")).toHaveCount(0);
    await expect(talkTimes(page)).toHaveText([/^Speaker 1/, /^Ada/]);
  }
  expect((await page.locator("[data-start]").allTextContents()).join(" ")).toBe(before);
  await page.reload();
  await openSpeakers(page);
  await expect(talkTimes(page)).toHaveText([/^Speaker 1/, /^Ada/]);
});
