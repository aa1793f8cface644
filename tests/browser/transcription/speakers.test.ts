import { rm } from "node:fs/promises";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, test } from "vitest";
import { expect, openPage, openSignedIn, sharedParlance } from "#tests/browser/harness.ts";
import { drop, inState, openDropZone, rowOf, transcriptionOf } from "#tests/browser/harness-files.ts";
import { installTinySpeakers, interviewIn } from "#tests/browser/harness-speakers.ts";
import { makeTemporaryFolder } from "#tests/fixtures/temporary-root.ts";

const shared = sharedParlance();
let folder = "";
let recording = "";

/** The models are put into the data folder by hand, beside a server that runs; a recording of two voices is made. */
beforeAll(async () => {
  folder = await makeTemporaryFolder();
  await installTinySpeakers(folder, shared.server.dataDir);
  recording = await interviewIn(folder);
});

afterAll(() => rm(folder, { recursive: true, force: true }));

const segments = (page: Page) => page.getByRole("list", { name: "Transcript" }).getByRole("listitem");
const talkTimes = (page: Page) => page.getByRole("list", { name: "Talk time" }).getByRole("listitem");
const names = (page: Page) => page.getByRole("list", { name: "Transcript" }).getByRole("button", { name: /: change the name$/ });

/** Asks, and waits until it is known: with these small models that is sooner than it can be seen to go on. */
async function ask(page: Page, choice: string): Promise<void> {
  await page.getByText("Who spoke?", { exact: true }).click();
  const asked = page.waitForResponse((answer) => answer.request().method() === "PUT");
  await page.getByRole("button", { name: choice, exact: true }).click();
  expect((await asked).ok()).toBe(true);
  const id = new URL(page.url()).pathname.split("/").at(-1) ?? "";
  const stage = async () => (await transcriptionOf(page, shared.server.apiUrl, id)).progress?.stage;
  await expect.poll(stage).toBe("finished");
}

describe("who spoke", () => {
  test("is found out in a finished transcript, as many as somebody says, and names stay with their voices", async () => {
    await using visit = await openPage(shared.browser);
    const { page } = visit;
    await openDropZone(page, shared.server);
    await drop(page, [recording]);
    const row = inState(rowOf(page, "interview.wav"), "completed");
    await row.getByRole("link").first().click();
    await segments(page).first().waitFor();
    const before = (await page.locator("[data-start]").allTextContents()).join(" ");

    await ask(page, "Work it out");
    await expect(talkTimes(page)).toHaveText([/^Speaker 1/, /^Speaker 2/]);
    await expect(names(page)).toHaveCount(2);
    await expect(page.getByText("Finding out who spoke")).toHaveCount(0);
    expect((await page.locator("[data-start]").allTextContents()).join(" ")).toBe(before);

    await names(page).nth(1).click();
    await page.keyboard.type("Ada");
    await page.getByRole("button", { name: "Rename everywhere" }).click();
    await expect(talkTimes(page)).toHaveText([/^Speaker 1/, /^Ada/]);
    await ask(page, "2 people");
    await expect(page.getByText("Finding out who spoke")).toHaveCount(0);
    await expect(talkTimes(page)).toHaveText([/^Speaker 1/, /^Ada/]);
    await page.reload();
    await expect(talkTimes(page)).toHaveText([/^Speaker 1/, /^Ada/]);
  });

  test("is found out with the transcript when that is wished", async () => {
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
    await page.getByRole("list", { name: "Steps" }).getByText("Who spoke").waitFor();
    await page.getByRole("button", { name: "Open the transcript" }).click();
    await expect(talkTimes(page)).toHaveText([/^Speaker 1/, /^Speaker 2/]);
  });
});
