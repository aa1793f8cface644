import { test } from "vitest";
import { expect, openPage, openSignedIn, sharedParlance } from "#tests/browser/harness.ts";
import { walkInBrowser } from "#tests/browser/harness-paths.ts";
import { filtersWalk } from "#tests/paths/transcriptions/filters.ts";
import app from "../../../public/locales/en/app.json" with { type: "json" };
import { createFiltersPerson, scriptHistory } from "./filters-person.ts";

// The paths of the filters' machine, walked in a real browser: what a person has typed and chosen, and what is found by it.

const shared = sharedParlance({ acrossFiles: true });

test("every transition of the filters", async () => {
  await using visit = await openPage(shared.browser, { context: { reducedMotion: "reduce" } });
  await openSignedIn(visit.page, shared.server, "/robots.txt");
  await walkInBrowser(filtersWalk, await createFiltersPerson(visit.page, shared.at));
});

test("/debug/machines draws them while somebody chooses", async () => {
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
  await page.getByLabel(app.history.date, { exact: true }).selectOption("week");
  await expect(active).toHaveText(["search", "entered", "language", "all", "status", "all", "dateRange", "week"]);
});
