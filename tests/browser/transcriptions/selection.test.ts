import { test } from "vitest";
import { expect, sharedPage, sharedParlance } from "#tests/browser/harness.ts";
import { putTranscript, spokenSegment } from "#tests/browser/harness-transcript.ts";

const shared = sharedParlance({ acrossFiles: true });
const shell = sharedPage(shared);

/** Opens the dashboard of a new user with this many transcripts; `number 1` is the newest. */
async function beginWith(count: number, expected: readonly RegExp[] = []) {
  const { page } = await shell.begin("/robots.txt", expected);
  for (let number = count; number > 0; number--) {
    await putTranscript(shared.server, page, {
      title: `number ${number}`,
      segments: [spokenSegment(`It is number ${number}.`, 0, 2)],
      date: new Date(Date.UTC(2026, 2, 1) - number * 60_000).toISOString(),
    });
  }
  await page.goto(shared.at("/dashboard"));
  const list = page.getByRole("list", { name: "Transcripts" });
  const rows = list.getByRole("listitem");
  await rows.first().waitFor();
  return { page, list, rows, bar: page.getByRole("region", { name: "Selected transcripts" }) };
}

test("selects rows with mouse and keys, deletes them together, and restores them together", { tags: "quick" }, async () => {
  const { page, rows, bar } = await beginWith(6);
  await rows.nth(1).getByRole("link").focus();
  await page.keyboard.press("Space");
  await page.keyboard.press("Shift+ArrowDown");
  await page.keyboard.press("Shift+ArrowDown");
  await bar.getByText("3 selected").waitFor();
  await expect(rows.nth(3).getByRole("link")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(bar).toHaveCount(0);
  await rows.nth(0).getByRole("checkbox").check();
  await rows
    .nth(3)
    .getByRole("checkbox")
    .click({ modifiers: ["Shift"] });
  await rows.nth(1).getByRole("checkbox").uncheck();
  await bar.getByText("3 selected").waitFor();
  await bar.getByRole("button", { name: "Delete" }).click();
  await expect(bar).toHaveCount(0);
  await expect(rows).toHaveText([/number 2/, /number 5/, /number 6/]);
  await expect(rows.nth(0).getByRole("link")).toBeFocused();
  await page.getByRole("status").filter({ hasText: "3 transcripts were moved to the trash." }).waitFor();
  await page.getByRole("button", { name: "Undo" }).click();
  await expect(rows).toHaveText([1, 2, 3, 4, 5, 6].map((number) => new RegExp(`number ${number}`)));
});
