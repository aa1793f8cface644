import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, test } from "vitest";
import { expect, openPage, openSignedIn, sharedParlance, startParlance } from "#tests/browser/harness.ts";
import { drop, fixture, inState, openDropZone, rowOf, rows } from "#tests/browser/harness-files.ts";
import { marketText } from "#tests/fixtures/audio/texts.ts";

const spoken = (text: string) => text.toLowerCase().replace(/[^a-z0-9$ ]+/g, "");

const shared = sharedParlance({ acrossFiles: true });
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "parlance-files-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("everything that can be wrong with a file", () => {
  /** What each one says of itself: the English texts of `errors.*` and `uploads.problem.*`. */
  const bad = [
    ["not-audio.mp3", "failed", "This is not an audio or video file that can be read."],
    ["truncated.wav", "completed", "What could be read was transcribed"],
    ["a folder.wav", "failed", "it is a folder"],
    ["too large.wav", "failed", "The file is too large."],
  ] as const;

  test("is said of it when it is dropped, and the good ones among them are done", async () => {
    await using server = await startParlance({ env: { MAX_UPLOAD_MB: "1" } });
    await using visit = await openPage(shared.browser);
    const { page } = visit;
    await openDropZone(page, server);
    await mkdir(join(folder, "a folder.wav"));
    await writeFile(join(folder, "too large.wav"), Buffer.alloc(1024 * 1024 + 1));
    const good = ["market.mp3"];
    const own = ["a folder.wav", "too large.wav"];
    const paths = [...bad.map(([name]) => name), ...good].map((name) =>
      own.includes(name) ? join(folder, name) : fixture(name),
    );
    await drop(page, paths);

    for (const [name, state, message] of bad) {
      const row = inState(rowOf(page, name), state);
      await row.waitFor();
      await expect(row, name).toContainText(message);
      await expect(row.getByRole("button", { name: "Try again" }), name).toHaveCount(0);
    }
    for (const name of good) {
      const row = inState(rowOf(page, name), "completed");
      await row.waitFor();
      expect(spoken((await row.textContent()) ?? "")).toContain(spoken(marketText));
    }
    // Each is read out once, with what became of it.
    const announced = await page.getByRole("log").locator("p").allTextContents();
    expect(announced).toHaveLength(paths.length);
    expect(announced).toContainEqual(expect.stringMatching(/^not-audio\.mp3: This is not an audio/));
    expect(announced).toContain("market.mp3: Done");
  });

  test("one that is dropped anywhere on the dashboard, or beside the zone, is taken all the same", {
    tags: "quick",
  }, async () => {
    const { browser, server } = shared;
    await using visit = await openPage(browser);
    const { page } = visit;
    await openSignedIn(page, server, "/dashboard");
    await drop(page, [fixture("market.mp3")], page.getByRole("heading", { level: 1 }));
    // It is a transcript there; the list of the page for files has it, too.
    await page.getByRole("list", { name: "Transcripts" }).getByRole("listitem").waitFor();
    await page.getByRole("link", { name: "New transcript" }).click();
    await inState(rowOf(page, "market.mp3"), "completed").waitFor();
    await drop(page, [fixture("silent.wav")], page.getByRole("heading", { level: 1 }));
    await inState(rowOf(page, "silent.wav"), "completed").waitFor();
    await expect(rows(page)).toHaveCount(2);
  });
});
