import type { Page } from "playwright";
import { test } from "vitest";
import { enter, expect, openPage, screenshots, sharedPage, sharedParlance } from "#tests/browser/harness.ts";
import { violations } from "#tests/browser/harness-axe.ts";
import { putTranscript, spokenSegment } from "#tests/browser/harness-transcript.ts";

// A transcript shared by two users: invited, accepted, corrected by both, and withdrawn while it is open.

const shared = sharedParlance({ acrossFiles: true });
const pages = sharedPage(shared);
const talk = [
  spokenSegment("Good morning and welcome to the harbour.", 0, 4, { speaker: "1" }),
  spokenSegment("The harbour is old.", 4, 7, { speaker: "2" }),
];

const button = (page: Page, name: string | RegExp) => page.getByRole("button", { name, exact: true });
const row = (page: Page, index: number) => page.locator(`li[data-index="${index}"]`);
const edit = (page: Page, index: number) => row(page, index).locator("[data-edit]");
const field = (page: Page) => page.locator("li[data-index] textarea");
const panel = (page: Page) => page.getByRole("region", { name: "Share", exact: true });

// PROMISE sharing: A transcript is shared with accounts; taking it away is immediate
// PROMISE sharing: Corrections of two people at once are merged, and no word is lost
test("shares a transcript with another user, merges both users' corrections, and ends the share at once", {
  tags: "quick",
}, async () => {
  await using visiting = await openPage(shared.browser, { context: { viewport: { width: 1200, height: 800 } } });
  const anna = visiting.page;
  const [{ page }, { email }] = await Promise.all([
    pages.begin((_, whose) => putTranscript(shared.server, whose, { segments: talk, audioSeconds: 8, title: "The harbour" })),
    enter(anna, shared.server),
  ]);
  await button(page, "Share").click();
  await panel(page).getByLabel("E-mail address").fill(email);
  await screenshots(page, "people-form", { fullPage: true });
  expect(await violations(page)).toEqual([]);
  await button(page, "Invite").click();
  await panel(page)
    .getByText(/Invited, expires/)
    .waitFor();
  await screenshots(page, "people-panel", { fullPage: true });

  await anna.goto(new URL("/shared-with-me", shared.server.url).href);
  await button(anna, "Accept The harbour").waitFor();
  await screenshots(anna, "shared-with-me");
  expect(await violations(anna)).toEqual([]);
  await button(anna, "Accept The harbour").click();
  await anna.getByRole("link", { name: "Open The harbour" }).click();
  await anna.getByText("shared this with you.").waitFor();
  await expect(button(anna, "Share")).toHaveCount(0);
  await expect(button(anna, "Delete")).toHaveCount(0);
  await expect(button(anna, "Play")).toBeEnabled();
  await anna.getByRole("list", { name: "Transcript" }).getByText("harbour.", { exact: true }).waitFor();
  await screenshots(anna, "shared-transcript", { fullPage: true });
  expect(await violations(anna)).toEqual([]);

  // Both users correct the transcript now, and each sees the other's saved changes while typing.
  await page.getByLabel(`What ${email} can do`).selectOption("correct");
  await anna.getByText("shared this with you.").waitFor();
  await edit(anna, 1).click();
  await field(anna).fill("The harbour is old and wide.");
  await edit(page, 0).click();
  await field(page).fill("Good evening and welcome to the harbour.");
  await field(page).press("Control+Enter");
  await expect(row(anna, 0)).toContainText("Good evening and welcome");
  await expect(field(anna)).toHaveValue("The harbour is old and wide.");
  await edit(page, 1).click();
  await field(page).fill("The harbour is ancient.");
  await field(page).press("Control+Enter");
  await expect(row(page, 1)).toContainText("ancient");
  await field(anna).press("Control+Enter");
  // Both versions of the same words stay on both pages, also after a reload.
  await expect(row(page, 1).getByText("The harbour is old and wide.")).toBeVisible();
  await anna.reload();
  await expect(row(anna, 1)).toContainText("The harbour is ancient.");
  await row(anna, 1).getByText(`${email} changed the same words:`).waitFor();
  await screenshots(anna, "people-both", { fullPage: true });
  expect(await violations(anna)).toEqual([]);
  await row(page, 1)
    .getByRole("button", { name: /^Use this version/ })
    .click();
  await expect(edit(page, 1)).toBeFocused();
  await expect(row(anna, 1)).not.toContainText("ancient");
  await expect(row(anna, 1).getByText("changed the same words:")).toHaveCount(0);

  await button(page, `Remove access for ${email}`).click();
  await button(page, "Remove").last().click();
  await panel(page).getByText("Only you.").waitFor();
  await expect(anna.getByRole("heading", { name: "harbour" })).toHaveCount(0);
});
