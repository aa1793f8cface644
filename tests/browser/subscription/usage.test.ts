import { test } from "vitest";
import { expect, sharedPage, sharedParlance } from "#tests/browser/harness.ts";
import { fixture, inState, rows } from "#tests/browser/harness-files.ts";
import { messages, meter, spendMinutes } from "#tests/browser/harness-usage.ts";

// The free tier's minutes, as the server counts them. The texts for each number: tests/components/subscription/usage.test.ts.

const shared = sharedParlance({ acrossFiles: true });
const pages = sharedPage(shared);

test("a file spends minutes, one that is too long keeps its audio, and is made after paying with one press", async () => {
  const expected = [/404 \(Not Found\).*subscription/, /402 \(Payment Required\)/];
  const { page, person } = await pages.begin((someone) => {
    spendMinutes(shared.server, someone.email, 7.9);
    return "/speech-to-text";
  }, expected);
  await meter(page).getByText("7.9 of 10").waitFor();
  await page.locator("input[type=file]").setInputFiles(fixture("harbor.wav"));
  await messages(page)
    .getByText(/^You have 1\.\d minutes remaining in your free tier\.$/)
    .waitFor();
  await inState(rows(page), "completed").waitFor();
  await meter(page)
    .getByText(/8\.\d of 10/)
    .waitFor();

  spendMinutes(shared.server, person.email, 9.98);
  await page.locator("input[type=file]").setInputFiles(fixture("market.wav"));
  const row = rows(page).filter({ hasText: "market.wav" });
  await inState(row, "failed").waitFor();
  await expect(row).toContainText(/This file is 0:02 long, you have 0\.0 free minutes left this month\./);
  await page.goto(shared.at("/dashboard"));
  // What it is called depends on the minutes that the page knows of, which it may ask for at any time.
  await page
    .getByRole("listitem")
    .filter({ hasText: "market" })
    .getByRole("button", { name: /^(Try again|Transcribe now)$/ })
    .click();
  await messages(page).getByText("Your free minutes of this month are used up.").waitFor();

  await page.goto(shared.at("/subscription"));
  await page.getByRole("button", { name: "Upgrade for €96 a year" }).click();
  await page.getByRole("button", { name: "Pay (test)" }).click();
  await page.getByText("“market” was longer than your free minutes.").waitFor();
  // In another tab it is not told that an upgrade is needed, but offered, too.
  const other = await page.context().newPage();
  await other.goto(shared.at("/dashboard"));
  // What the other file says is about a market, too.
  const now = other.getByRole("button", { name: "Transcribe now" });
  const listed = other.getByRole("listitem").filter({ has: now });
  await expect(listed).toContainText("It is stored here and can be transcribed now.");
  await expect(listed.getByRole("link", { name: "Upgrade" })).toHaveCount(0);
  await other.close();
  await page.getByRole("button", { name: "Transcribe it now" }).click();
  await page.waitForURL("**/file-processing/*");
  await page.locator('[data-testid="processing"][data-state="completed"]').waitFor();
});
