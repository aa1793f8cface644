import type { Page } from "playwright";
import { describe, test } from "vitest";
import { expect, openPage, type Person, sharedParlance } from "#tests/browser/harness.ts";
import { drop, fixture, inState, openDropZone, rowOf, rows, throttle } from "#tests/browser/harness-files.ts";

const shared = sharedParlance({ acrossFiles: true });

/** Fills in the current form without a page load. */
async function enter(page: Page, { email, password }: Person): Promise<void> {
  await page.locator("input[type=email]").fill(email);
  await page.locator("input[type=password]").fill(password);
  await page.locator("form button[type=submit]").click();
  await page.waitForURL(/dashboard/);
}

describe("the owner of an upload", () => {
  test("asks before the page closes during an upload, but not when the upload is done", async () => {
    const { browser, server } = shared;
    await using visit = await openPage(browser);
    const { page } = visit;
    await openDropZone(page, server);
    await throttle(page, 10_000);
    await drop(page, [fixture("market.wav")]);
    await inState(rows(page), "uploading").waitFor();
    await page.getByRole("link", { name: "Dashboard" }).first().click();
    await page.waitForURL(/dashboard/);
    const asked: string[] = [];
    page.on("dialog", (dialog) => {
      asked.push(dialog.type());
      void dialog.dismiss();
    });
    await page.close({ runBeforeUnload: true });
    await expect.poll(() => asked).toEqual(["beforeunload"]);

    await throttle(page, -1);
    await page.goBack();
    await inState(rows(page), "completed").waitFor();
    await page.reload();
    await page.getByTestId("drop-zone").waitFor();
    expect([asked.length, await rows(page).count()]).toEqual([1, 0]);
  });

  test("continues uploads after their owner signs out and in again, and hides them from other users", async () => {
    const { browser, server } = shared;
    await using visit = await openPage(browser);
    const { page } = visit;
    const person = await openDropZone(page, server);
    await throttle(page, 5_000);
    const names = ["market.wav", "market.flac", "market.mp4"];
    await page.locator("input[type=file]").setInputFiles(names.map(fixture));
    await inState(rowOf(page, "market.mp4"), "queued").waitFor();
    await throttle(page, 200_000);
    // The server handles the sign-out a moment before the page does: it refuses requests in between, and the page
    // retries them later.
    visit.expect(/status of 401 .*\/api\/v1\/(uploads(\/[\w-]+)?|audio-transcriptions\/(events|transcription\/[\w-]+))\)$/);
    await page.getByRole("button", { name: "Log out" }).first().click();
    await page.waitForURL(/signin/);
    // Files under way arrive; the third one waits until its owner is back.
    await enter(page, person);
    await page.getByRole("link", { name: "Speech to text" }).first().click();
    for (const name of names) await inState(rowOf(page, name), "completed").waitFor();

    await page.getByRole("button", { name: "Log out" }).first().click();
    await page.waitForURL(/signin/);
    await page.getByRole("main").getByRole("link", { name: "Create account" }).click();
    // The address changes before the form: until then the form is the one for signing in.
    await page.getByRole("heading", { name: "Create your account" }).waitFor();
    await enter(page, { ...person, email: `other.${person.email}` });
    await page.getByRole("link", { name: "Speech to text" }).first().click();
    await page.getByTestId("drop-zone").waitFor();
    await expect(rows(page)).toHaveCount(0);
  });
});
