import type { Page } from "playwright";
import { test } from "vitest";
import { enter, expect, openPage, sharedParlance } from "#tests/browser/harness.ts";
import { putTranscript, spokenSegment } from "#tests/browser/harness-transcript.ts";

// Two users correct one transcript; one of them goes offline, reloads and reconnects.

const shared = sharedParlance();
const talk = [
  spokenSegment("Good morning and welcome to the harbour.", 0, 4, { speaker: "1" }),
  spokenSegment("The harbour is old.", 4, 7, { speaker: "2" }),
];

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true });
const row = (page: Page, index: number) => page.locator(`li[data-index="${index}"]`);
const field = (page: Page) => page.locator("li[data-index] textarea");
const correct = async (page: Page, index: number, text: string) => {
  await row(page, index).locator("[data-edit]").click();
  await field(page).fill(text);
  await field(page).press("Control+Enter");
};

test("merges offline corrections with another person's, even after a reload", async () => {
  await using owning = await openPage(shared.browser);
  const lost = [/ERR_INTERNET_DISCONNECTED/, /Failed to fetch/, /ERR_FAILED/, /ERR_NETWORK/];
  await using visiting = await openPage(shared.browser, { expected: lost });
  const [page, anna] = [owning.page, visiting.page];
  const [, { email }] = await Promise.all([enter(page, shared.server), enter(anna, shared.server)]);
  const path = await putTranscript(shared.server, page, { segments: talk, title: "The harbour" });
  await page.goto(new URL(path, shared.server.url).href);
  await button(page, "Share").click();
  await page.getByLabel("E-mail address").fill(email);
  await page.getByLabel("Permission").selectOption("correct");
  await button(page, "Invite").click();
  await page.getByText(/Invited, expires/).waitFor();
  await anna.goto(new URL("/shared-with-me", shared.server.url).href);
  await button(anna, "Accept The harbour").click();
  await anna.getByRole("link", { name: "Open The harbour" }).click();
  await expect(row(anna, 1)).toContainText("old");

  await visiting.page.context().setOffline(true);
  await correct(anna, 0, "Good morning and very welcome to the harbour!");
  await correct(anna, 1, "The harbour is aged.");
  await expect(row(anna, 0)).toContainText("very welcome");
  await correct(page, 0, "Good evening and welcome to the harbour.");
  await correct(page, 1, "The harbour is ancient.");
  await expect(row(page, 1)).toContainText("ancient");
  await visiting.page.context().setOffline(false);
  await anna.reload();
  for (const one of [anna, page]) {
    await expect(row(one, 0)).toContainText("Good evening and very welcome to the harbour!");
    await expect(row(one, 1)).toContainText("The harbour is ancient.");
    await expect(row(one, 1).getByText("The harbour is aged.")).toBeVisible();
  }
});
