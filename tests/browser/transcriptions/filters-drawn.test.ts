import { test } from "vitest";
import { expect, openPage, openSignedIn, sharedParlance } from "#tests/browser/harness.ts";
import app from "../../../public/locales/en/app.json" with { type: "json" };
import { scriptHistory } from "./scripted-history.ts";

const shared = sharedParlance({ acrossFiles: true });

test("draws the history's filters on /debug/machines while the user chooses them", async () => {
  await using visit = await openPage(shared.browser);
  const { page } = visit;
  await scriptHistory(page);
  const opened = page.context().waitForEvent("page");
  await openSignedIn(page, shared.server, "/dashboard?inspect");
  const machines = await opened;
  const active = machines
    .getByRole("region", { name: "filters", exact: true })
    .locator('[data-active=true]:not([data-state=""]) > :first-child > [data-name]');
  await machines
    .getByRole("navigation", { name: "Live machines" })
    .getByRole("button", { name: /^filters/ })
    .click();
  await expect(active).toHaveText(["search", "empty", "language", "all", "status", "all", "dateRange", "all"]);
  await page.getByRole("searchbox").fill("tea");
  await expect(page.getByRole("list", { name: "Transcripts" }).locator("mark").first()).toHaveText("tea");
  await page.getByRole("search").getByText(app.history.filter, { exact: true }).click();
  await page.getByLabel(app.history.date, { exact: true }).selectOption("week");
  await expect(active).toHaveText(["search", "entered", "language", "all", "status", "all", "dateRange", "week"]);
});
