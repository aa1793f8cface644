import { test } from "vitest";
import { expect, sharedPage, sharedParlance } from "#tests/browser/harness.ts";

// Payments with the real server. tests/components/subscription covers the text of each state.

const shared = sharedParlance({ acrossFiles: true });
const pages = sharedPage(shared);
const calls = (path: string) => `${shared.server.apiUrl}${path}`;

test("buys the plan from the landing page after the sign-up, then cancels and ends it", {
  tags: "quick",
}, async () => {
  const { page } = await pages.empty([/404/, /500/]);
  await page.goto(shared.at("/#pricing"));
  await page.getByRole("radio", { name: "Monthly" }).check();
  await page.getByRole("link", { name: "Choose Premium" }).click();
  await expect(page).toHaveURL(/\/signup\?plan=premium&interval=month$/);
  await page.getByText("Next: checkout for Premium at €12 a month.").waitFor();
  // The choice survives a detour to the sign-in page.
  await page.getByRole("link", { name: "Sign in", exact: true }).last().click();
  await page.getByRole("main").getByRole("link", { name: "Create account" }).click();
  await page.getByText("Next: checkout for Premium at €12 a month.").waitFor();
  await page.locator("input[type=email]").fill(`${crypto.randomUUID()}@example.org`);
  await page.locator("input[type=password]").fill(`correct horse ${crypto.randomUUID()}`);
  await page.locator("form button[type=submit]").click();
  await page.waitForURL(/\/billing\/test\//);
  await page.getByText("€12.00").waitFor();

  // Back does not start the checkout again, and keeps the chosen interval.
  await page.goBack();
  await expect(page).toHaveURL(/\/subscription\?interval=month$/);
  await page.getByText("Ten free minutes a month.").waitFor();
  const upgrade = page.getByRole("button", { name: "Upgrade for €12 a month" });
  await upgrade.click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("heading", { name: "Nothing was charged" }).waitFor();
  await page.goto(shared.at("/subscription?interval=month"));
  // A checkout that can't start leads to a placeholder, which retries the same checkout.
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
  await page.getByRole("heading", { name: "Welcome to Premium" }).waitFor();
  await page.getByRole("link", { name: "Go to subscription" }).click();
  await page.getByText("Renews on").waitFor();
  await page.getByText("minutes used, unlimited").waitFor();
  await page.getByRole("cell", { name: "€12" }).waitFor();
  await page.getByRole("button", { name: "Cancel subscription" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Cancel subscription" }).click();
  await page.getByText("Canceled. You keep Premium until").waitFor();

  await page.getByRole("button", { name: "Invoices and payment details" }).click();
  await page.waitForURL(/\/billing\/test\//);
  await page.getByRole("button", { name: "End it now" }).click();
  await page.getByRole("link", { name: "Back to Parlance" }).click();
  await page.getByText("Your subscription has ended.").waitFor();
});
