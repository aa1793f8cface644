import { test } from "vitest";
import { expect, sharedPage, sharedParlance } from "#tests/browser/harness.ts";

// The way of money through the real server: what each state says is in tests/components/subscription.

const shared = sharedParlance({ acrossFiles: true });
const pages = sharedPage(shared);
const calls = (path: string) => `${shared.server.apiUrl}${path}`;

test("a plan that is chosen on the landing page is bought after the sign-up, then cancelled, and ends", {
  tags: "quick",
}, async () => {
  const { page } = await pages.empty([/404/, /500/]);
  await page.goto(shared.at("/#pricing"));
  await page.getByRole("radio", { name: "Monthly" }).check();
  await page.getByRole("link", { name: "Choose Premium" }).click();
  await expect(page).toHaveURL(/\/signup\?plan=premium&interval=month$/);
  await page.getByText("Next comes the checkout: Premium for €12 a month.").waitFor();
  // Who has an account after all keeps the choice, and so does who has none.
  await page.getByRole("link", { name: "Sign in", exact: true }).last().click();
  await page.getByRole("main").getByRole("link", { name: "Create account" }).click();
  await page.getByText("Next comes the checkout: Premium for €12 a month.").waitFor();
  await page.locator("input[type=email]").fill(`${crypto.randomUUID()}@example.org`);
  await page.locator("input[type=password]").fill(`correct horse ${crypto.randomUUID()}`);
  await page.locator("form button[type=submit]").click();
  await page.waitForURL(/\/billing\/test\//);
  await page.getByText("€12.00").waitFor();

  // Going back does not lead here again, and what was chosen stays.
  await page.goBack();
  await expect(page).toHaveURL(/\/subscription\?interval=month$/);
  await page.getByText("Ten free minutes a month.").waitFor();
  const upgrade = page.getByRole("button", { name: "Upgrade for €12 a month" });
  await upgrade.click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("heading", { name: "Nothing was paid" }).waitFor();
  await page.goto(shared.at("/subscription?interval=month"));
  // A checkout that can't be begun leads to a placeholder, which tries the same again.
  await page.route(calls("/subscriptions/account/checkout-session"), (route) => route.fulfill({ status: 500 }));
  await upgrade.click();
  await page.waitForURL("**/subscription-cancelled?checkout=unavailable&plan=premium&interval=month");
  await page.getByRole("heading", { name: "Failed to create checkout session" }).waitFor();
  await page.getByRole("button", { name: "Try again" }).click();
  await page.waitForURL(/\/billing\/test\//);
  await page.getByText("€12.00").waitFor();
  await page.getByRole("button", { name: "declined" }).click();
  await page.getByRole("alert").getByText("The card was declined.").waitFor();
  await page.getByRole("button", { name: "Pay (test)" }).click();

  await page.waitForURL("**/subscription-success");
  await page.getByRole("heading", { name: "Premium is yours" }).waitFor();
  await page.getByRole("link", { name: "To the subscription" }).click();
  await page.getByText("It is renewed on").waitFor();
  await page.getByText("minutes used, without a limit").waitFor();
  await page.getByRole("cell", { name: "€12" }).waitFor();
  await page.getByRole("button", { name: "Cancel the subscription" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel the subscription" }).click();
  await page.getByText("Cancelled. Premium stays until").waitFor();

  await page.getByRole("button", { name: "Invoices and payment details" }).click();
  await page.waitForURL(/\/billing\/test\//);
  await page.getByRole("button", { name: "End it at once" }).click();
  await page.getByRole("link", { name: "Back to Parlance" }).click();
  await page.getByText("Your subscription has ended.").waitFor();
});
