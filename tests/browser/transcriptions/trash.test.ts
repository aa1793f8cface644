import { describe, test } from "vitest";
import { expect, sharedPage, sharedParlance } from "#tests/browser/harness.ts";
import { putTranscript, spokenSegment } from "#tests/browser/harness-transcript.ts";

const shared = sharedParlance({ acrossFiles: true });
const shell = sharedPage(shared);

/** Opens the trash of a new user with this many transcripts; `number 1` was deleted last. */
async function beginInTrash(count: number) {
  const { page } = await shell.begin("/robots.txt");
  const ids: string[] = [];
  for (let number = count; number > 0; number--) {
    const path = await putTranscript(shared.server, page, {
      title: `number ${number}`,
      segments: [spokenSegment(`It is number ${number}.`, 0, 2)],
    });
    ids.push(path.replace("/transcription/", ""));
  }
  const token = await page.evaluate(() => localStorage.getItem("jwtToken"));
  for (const id of ids) {
    const headers = { Authorization: `Bearer ${token}` };
    const answer = await fetch(new URL(`/audio/remove-transcription/${id}`, shared.server.apiUrl), { method: "DELETE", headers });
    expect(answer.status).toBe(200);
  }
  await page.goto(shared.at("/trash"));
  await page.getByRole("heading", { name: "Trash", level: 1 }).waitFor();
  const list = page.getByRole("list", { name: "Trash, most recently deleted first" });
  return { page, ids, list, rows: list.getByRole("listitem"), bar: page.getByRole("region", { name: "Selected transcripts" }) };
}

// PROMISE trash: Deleted transcripts stay for thirty days, are found nowhere, and can come back
test("keeps a deleted transcript in the trash until the user restores it", async () => {
  const { page } = await shell.begin("/robots.txt", [/404 \(Not Found\)/]);
  const path = await putTranscript(shared.server, page, { title: "A talk", segments: [spokenSegment("Good morning.", 0, 2)] });
  await page.goto(shared.at("/dashboard"));
  const row = page.getByRole("listitem").filter({ hasText: "A talk" });
  await row.getByLabel("Actions for A talk").click();
  await row.getByRole("button", { name: "Delete" }).click();
  await page.getByText("“A talk” was moved to the trash.").waitFor();
  await page.getByRole("link", { name: "Trash", exact: true }).click();
  await page.getByRole("heading", { name: "Trash", level: 1 }).waitFor();
  const inTrash = page.getByRole("listitem").filter({ hasText: "Good morning." });
  await inTrash.getByText(/^Will be erased on \d/).waitFor();
  // The transcript's own page only links to the trash.
  await page.goto(shared.at(path));
  await page.getByText("Recently deleted transcripts are in the trash.").waitFor();
  await page.getByRole("main").getByRole("link", { name: "Trash" }).click();
  await inTrash.getByRole("button", { name: "Restore A talk" }).click();
  await page.getByText("Restored to your dashboard.").waitFor();
  await page.getByRole("heading", { name: "The trash is empty" }).waitFor();
  await page.getByRole("main").getByRole("link", { name: "All transcripts" }).click();
  await page.getByRole("listitem").filter({ hasText: "Good morning." }).waitFor();
});

describe("the trash", () => {
  test("selects rows with mouse and keys, restores and erases them, and empties the trash", async () => {
    const { page, rows, bar } = await beginInTrash(6);
    await expect(rows).toHaveCount(6);
    await rows.nth(0).getByRole("checkbox").click();
    await rows
      .nth(2)
      .getByRole("checkbox")
      .click({ modifiers: ["Shift"] });
    await bar.getByText("3 selected").waitFor();
    await page.keyboard.press("Shift+ArrowUp");
    await bar.getByText("2 selected").waitFor();
    await expect(rows.nth(1).getByRole("checkbox")).toBeFocused();
    await bar.getByRole("button", { name: "Restore" }).click();
    await expect(rows).toHaveCount(4);
    await expect(rows.first()).toContainText("number 3");
    await rows.nth(0).getByRole("checkbox").focus();
    await page.keyboard.press("Space");
    await page.keyboard.press("ArrowDown");
    await page.keyboard.press("Space");
    await bar.getByRole("button", { name: "Delete permanently" }).click();
    const dialog = page.getByRole("dialog", { name: "Delete 2 transcripts permanently?" });
    await dialog.getByRole("button", { name: "Keep" }).click();
    await expect(rows).toHaveCount(4);
    await bar.getByRole("button", { name: "Delete permanently" }).click();
    await dialog.getByRole("button", { name: "Delete permanently" }).click();
    await expect(rows).toHaveCount(2);
    await page.keyboard.press("Escape");
    await page.getByRole("button", { name: "Empty trash" }).click();
    await page.getByRole("dialog", { name: "Empty the trash?" }).getByRole("button", { name: "Empty trash" }).click();
    await page.getByRole("heading", { name: "The trash is empty" }).waitFor();
    await page.getByRole("main").getByRole("link", { name: "All transcripts" }).click();
    await expect(page.getByRole("list", { name: "Transcripts" }).getByRole("listitem")).toHaveCount(2);
  });

  test("says that another tab has erased a transcript, and restores the others", async () => {
    const { page, ids, rows, bar } = await beginInTrash(3);
    const token = await page.evaluate(() => localStorage.getItem("jwtToken"));
    await fetch(new URL("/api/v1/audio-transcriptions/trash/erase", shared.server.apiUrl), {
      method: "POST",
      headers: { Authorization: `Bearer ${token}`, "Content-Type": "application/json" },
      body: JSON.stringify({ ids: ids.slice(-1) }),
    });
    await rows.first().getByRole("checkbox").focus();
    await page.keyboard.press("Control+a");
    await bar.getByText("3 selected").waitFor();
    await bar.getByRole("button", { name: "Restore" }).click();
    await page.getByText("This didn’t work for 1 of them.").waitFor();
    await expect(rows).toHaveCount(1);
    await expect(rows.first()).toContainText("number 1");
  });
});
