import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, test } from "vitest";
import { expect, openPage, openSignedIn, sharedParlance } from "#tests/browser/harness.ts";
import { drop, fixture, inState, openDropZone, rowOf, rows } from "#tests/browser/harness-files.ts";
import { marketText } from "#tests/fixtures/audio/texts.ts";

const spoken = (text: string) => text.toLowerCase().replace(/[^a-z0-9$ ]+/g, "");

const shared = sharedParlance({ acrossFiles: true });
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "parlance-files-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

// tests/components/uploads/files.test.ts covers all other problems with files.
test("refuses a dropped folder, transcribes the readable part of a truncated file, and all of a good one", async () => {
  const { browser, server } = shared;
  await using visit = await openPage(browser);
  const { page } = visit;
  await openDropZone(page, server);
  await mkdir(join(folder, "a folder.wav"));
  await drop(page, [join(folder, "a folder.wav"), fixture("truncated.wav"), fixture("market.mp3")]);
  for (const [name, state, message] of [
    ["a folder.wav", "failed", "it is a folder"],
    ["truncated.wav", "completed", "We transcribed the part that could be read"],
  ] as const) {
    const row = inState(rowOf(page, name), state);
    await row.waitFor();
    await expect(row, name).toContainText(message);
    await expect(row.getByRole("button", { name: "Try again" }), name).toHaveCount(0);
  }
  const good = inState(rowOf(page, "market.mp3"), "completed");
  await good.waitFor();
  expect(spoken((await good.textContent()) ?? "")).toContain(spoken(marketText));
});

test("accepts a file that is dropped anywhere on the dashboard or beside the drop zone", {
  tags: "quick",
}, async () => {
  const { browser, server } = shared;
  await using visit = await openPage(browser);
  const { page } = visit;
  await openSignedIn(page, server, "/dashboard");
  await drop(page, [fixture("market.mp3")], page.getByRole("heading", { level: 1 }));
  // The dashboard shows it as a transcript; the page of files lists it, too.
  await page.getByRole("list", { name: "Transcripts" }).getByRole("listitem").waitFor();
  await page.getByRole("link", { name: "Speech to text" }).click();
  await inState(rowOf(page, "market.mp3"), "completed").waitFor();
  await drop(page, [fixture("silent.wav")], page.getByRole("heading", { level: 1 }));
  await inState(rowOf(page, "silent.wav"), "completed").waitFor();
  await expect(rows(page)).toHaveCount(2);
});
