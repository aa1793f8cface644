import { test } from "vitest";
import { expect, openPage, openSignedIn, sharedPage, sharedParlance } from "#tests/browser/harness.ts";

const shared = sharedParlance({ acrossFiles: true });
const pages = sharedPage(shared);
const calls = (path: string) => `${shared.server.apiUrl}${path}`;

test("free, upgraded by the checkout, premium; cancelled, and premium until the period's end", { tags: "quick" }, async () => {
  const { page } = await pages.begin("/subscription", [/404/]);
  await page.getByText("Ten free minutes a month.").waitFor();
  await page.getByText("There are none yet.").waitFor();
  await page.getByText("€8 a month, you save €48").waitFor();
  await page.getByRole("radio", { name: /€12 a month/ }).check();
  await page.getByRole("button", { name: "Upgrade for €12 a month" }).click();

  await page.waitForURL(/\/billing\/test\//);
  await page.getByText("This is a test payment").waitFor();
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
  const dialog = page.getByRole("dialog");
  await dialog.getByText("nothing new can be encrypted").waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "hidden" });
  await page.getByText("It is renewed on").waitFor();
  await page.getByRole("button", { name: "Cancel the subscription" }).click();
  await dialog.getByRole("button", { name: "Cancel the subscription" }).click();
  await page.getByText("The subscription is cancelled.").waitFor();
  await page.getByText("Cancelled. Premium stays until").waitFor();
  await expect(page.getByRole("button", { name: "Cancel the subscription" })).toHaveCount(0);

  await page.getByRole("button", { name: "Invoices and payment details" }).click();
  await page.waitForURL(/\/billing\/test\//);
  await page.getByRole("button", { name: "End it at once" }).click();
  await page.getByRole("link", { name: "Back to Parlance" }).click();
  await page.getByText("Your subscription has ended.").waitFor();
});

test("leaving the checkout buys nothing", async () => {
  const { page } = await pages.begin("/subscription", [/404/]);
  await page.getByRole("button", { name: "Upgrade for €96 a year" }).click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("heading", { name: "Nothing was paid" }).waitFor();
  await page.getByRole("link", { name: "To the subscription" }).click();
  await page.getByText("Ten free minutes a month.").waitFor();
});

test("a checkout that can't be begun leads to a placeholder that says so; trying again says what went wrong", async () => {
  const { page } = await pages.begin(
    async (_, opened) => {
      await opened.route(calls("/subscriptions/account/checkout-session"), (route) => route.fulfill({ status: 500 }));
      return "/subscription";
    },
    [/404/, /500/],
  );
  await page.getByRole("radio", { name: "€12 a month" }).check();
  await page.getByRole("button", { name: /^Upgrade for .* a month$/ }).click();
  await page.waitForURL("**/subscription-cancelled?checkout=unavailable&plan=premium&interval=month");
  await page.getByRole("heading", { name: "Failed to create checkout session" }).waitFor();
  await page.route(calls("/subscriptions/create-checkout-session"), (route) => route.fulfill({ json: {} }));
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("alert").getByText("Could not retrieve checkout session URL from backend.", { exact: true }).waitFor();
  await page.unroute(calls("/subscriptions/create-checkout-session"));
  // What was chosen is what is tried again.
  const asked = page.waitForRequest(calls("/subscriptions/create-checkout-session"));
  await page.getByRole("button", { name: "Try again" }).click();
  expect((await asked).postDataJSON()).toEqual({ plan: "month" });
  await page.waitForURL(/\/billing\/test\//);
});

test.each([
  ["/subscriptions/account/subscription", "Failed to fetch subscription details", undefined],
  ["/subscriptions/account/billing-portal", "Failed to get billing portal URL", "Invoices and payment details"],
  ["/subscriptions/account/cancel-subscription", "Failed to cancel subscription", "Cancel the subscription"],
])("when %s fails, the page says '%s'", async (path, message, button) => {
  const { page } = await pages.begin("/subscription", [/404/, /500/]);
  if (button !== undefined) {
    await page.getByRole("button", { name: "Upgrade for €96 a year" }).click();
    await page.getByRole("button", { name: "Pay (test)" }).click();
    await page.getByRole("heading", { name: "Premium is yours" }).waitFor();
  }
  await page.route(calls(path), (route) => route.fulfill({ status: 500 }));
  await page.goto(shared.at("/subscription"));
  if (button !== undefined) await page.getByRole("button", { name: button }).click();
  if (path.includes("cancel")) await page.getByRole("dialog").getByRole("button", { name: button }).click();
  await page.getByRole("alert").getByText(message, { exact: true }).waitFor();
});

test("/subscription-success waits until the server knows, and says so while it does not", async () => {
  await using visit = await openPage(shared.browser, { expected: [/404/] });
  const { page } = visit;
  await page.clock.install();
  await openSignedIn(page, shared.server, "/subscription-success");
  await page.getByRole("heading", { name: "Your payment is being confirmed" }).waitFor();
  const unconfirmed = page.getByRole("heading", { name: "The payment is not known yet" });
  await expect
    .poll(
      async () => {
        await page.clock.fastForward(2_000);
        return unconfirmed.count();
      },
      { intervals: [50] },
    )
    .toBe(1);
  const paid = { id: "1", status: "active", plan: "premium", interval: "year", currentPeriodEnd: null, cancelAtPeriodEnd: false };
  await page.route(calls("/subscriptions/me"), (route) => route.fulfill({ json: { subscription: paid } }));
  await page.getByRole("button", { name: "Try again" }).click();
  await page.getByRole("heading", { name: "Premium is yours" }).waitFor();
});

test("/subscription-success asks who is signed out to sign in", async () => {
  await using visit = await openPage(shared.browser);
  await visit.page.goto(shared.at("/subscription-success"));
  await visit.page.getByRole("heading", { name: "Sign in to go on" }).waitFor();
});

test("a plan that is chosen on the landing page is what the checkout asks for after the sign-up", async () => {
  const { page } = await pages.empty([/404/]);
  await page.goto(shared.at("/#pricing"));
  await page.getByRole("radio", { name: "Monthly" }).check();
  await page.getByRole("link", { name: "Choose Premium" }).click();
  await expect(page).toHaveURL(/\/signup\?plan=premium&interval=month$/);
  await page.getByText("Next comes the checkout: Premium for €12 a month.").waitFor();
  // Who has an account after all keeps the choice, and so does who has none.
  await page.getByRole("link", { name: "Sign in", exact: true }).last().click();
  await page.getByRole("link", { name: "Create your account" }).click();
  await page.getByText("Next comes the checkout: Premium for €12 a month.").waitFor();
  await page.locator("input[type=email]").fill(`${crypto.randomUUID()}@example.org`);
  await page.locator("input[type=password]").fill(`correct horse ${crypto.randomUUID()}`);
  await page.locator("form button[type=submit]").click();
  await page.waitForURL(/\/billing\/test\//);
  await page.getByText("€12.00").waitFor();

  // Going back does not lead here again, and what was chosen stays.
  await page.goBack();
  await expect(page).toHaveURL(/\/subscription\?interval=month$/);
  await expect(page.getByRole("radio", { name: "€12 a month" })).toBeChecked();
  await page.getByRole("button", { name: "Upgrade for €12 a month" }).click();
  await page.getByRole("button", { name: "Cancel" }).click();
  await page.getByRole("heading", { name: "Nothing was paid" }).waitFor();
  await page.getByRole("button", { name: "Try again" }).click();
  await page.waitForURL(/\/billing\/test\//);
  await page.getByText("€12.00").waitFor();
});

test("who has premium already is not led to the checkout again", async () => {
  const { page } = await pages.begin("/subscription", [/404/]);
  await page.getByRole("button", { name: "Upgrade for €96 a year" }).click();
  await page.getByRole("button", { name: "Pay (test)" }).click();
  await page.getByRole("heading", { name: "Premium is yours" }).waitFor();
  await page.goto(shared.at("/subscription?plan=premium&interval=month"));
  await page.getByText("It is renewed on").waitFor();
  await expect(page).toHaveURL(/\/subscription\?interval=month$/);
});
