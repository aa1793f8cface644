import { test } from "vitest";
import { expect, sharedPage, sharedParlance } from "#tests/browser/harness.ts";
import { fixture, inState, rows } from "#tests/browser/harness-files.ts";
import { messages, meter, spendMinutes } from "#tests/browser/harness-usage.ts";

// The free tier's minutes as the server counts them. tests/components/subscription/usage.test.ts covers the texts.

const shared = sharedParlance({ acrossFiles: true });
const pages = sharedPage(shared);

test("counts a file's minutes, keeps a file that exceeds them, and transcribes it after the payment", async () => {
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
  await expect(row).toContainText(/This file is 0:02 long, but you have only 0\.0 free minutes left this month\./);
  await page.goto(shared.at("/dashboard"));
  // The button's name depends on the usage that the page knows, and the page may refresh it at any time.
  await page
    .getByRole("listitem")
    .filter({ hasText: "market" })
    .getByRole("button", { name: /^(Try again|Transcribe now)$/ })
    .click();
  await messages(page).getByText("You have used up your free minutes for this month.").waitFor();

  await page.goto(shared.at("/subscription"));
  await page.getByRole("button", { name: "Upgrade for €96 a year" }).click();
  await page.getByRole("button", { name: "Pay (test)" }).click();
  await page.getByText("“market” was longer than your free minutes.").waitFor();
  // Another tab offers the transcription, too, without asking for an upgrade.
  const other = await page.context().newPage();
  await other.goto(shared.at("/dashboard"));
  // The other file's text mentions a market, too.
  const now = other.getByRole("button", { name: "Transcribe now" });
  const listed = other.getByRole("listitem").filter({ has: now });
  await expect(listed).toContainText("It is stored here, and you can transcribe it now.");
  await expect(listed.getByRole("link", { name: "Upgrade" })).toHaveCount(0);
  await other.close();
  await page.getByRole("button", { name: "Transcribe now" }).click();
  await page.waitForURL("**/file-processing/*");
  await page.locator('[data-testid="processing"][data-state="completed"]').waitFor();
});
