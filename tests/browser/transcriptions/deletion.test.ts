import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "vitest";
import { enter, expect, openPage, sharedParlance } from "#tests/browser/harness.ts";
import { putTranscript, spokenSegment } from "#tests/browser/harness-transcript.ts";

const shared = sharedParlance({ acrossFiles: true });

test("deletes a transcript even when the tab is closed before a slow server has answered", async () => {
  const { browser, server, at } = shared;
  await using visit = await openPage(browser);
  const { page } = visit;
  await enter(page, server);
  const path = await putTranscript(server, page, { segments: [spokenSegment("Good morning.", 0, 2)] });
  const tab = await page.context().newPage();
  await tab.goto(at(path));
  await tab.getByLabel("Actions", { exact: true }).click();
  const button = tab.getByRole("button", { name: "Delete", exact: true });
  await button.waitFor();
  process.kill(server.pid(), "SIGSTOP");
  try {
    await button.click();
    await button.waitFor({ state: "detached" });
    await tab.close();
    // The browser cancels a closed tab's requests, unless they are marked to outlive it.
    const next = await page.context().newPage();
    await next.close();
  } finally {
    process.kill(server.pid(), "SIGCONT");
  }
  using db = new DatabaseSync(join(server.dataDir, "parlance.db"), { timeout: 10_000 });
  const deleted = db.prepare("select count(*) as count from transcriptions where deleted_at is not null and id = ?");
  await expect.poll(() => deleted.get(path.replace("/transcription/", ""))?.count).toBe(1);
});
