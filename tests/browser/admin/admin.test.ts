import type { Page } from "playwright";
import { test } from "vitest";
import { enter, enterAsSuperuser, expect, openPage, sharedParlance } from "#tests/browser/harness.ts";
import { violations } from "#tests/browser/harness-axe.ts";

const shared = sharedParlance();
const reason = "A friend of the house";

/** Signs in as the superuser that the server's first start creates. */
async function signInAsSuperuser(page: Page): Promise<void> {
  await enterAsSuperuser(page, shared.server);
  await page.goto(shared.at("/dashboard"));
}

/** Expects that axe-core finds no violation in the current page. */
const isAccessible = async (page: Page) => expect(await violations(page)).toEqual([]);

/** Chooses an action for an account, gives a reason, and confirms it. */
async function change(page: Page, action: string): Promise<void> {
  await page.getByRole("radio", { name: action }).check();
  await page.getByRole("textbox", { name: "Reason" }).fill(reason);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Yes, do it" }).click();
}

// SPEC 2 Navigation: "A Dashboard button shows for signed-in users on / and on /admin pages."
test("lets a superuser give premium, block and delete an account, read the log, and back up", async () => {
  await using theirs = await openPage(shared.browser, { expected: [/401/, /403/, /404/] });
  const person = await enter(theirs.page, shared.server);
  await using own = await openPage(shared.browser);
  const { page } = own;
  await signInAsSuperuser(page);

  // The overview shows numbers and charts, which are also tables.
  await page.getByRole("link", { name: "Admin Panel" }).first().click();
  await page.getByRole("definition").filter({ hasText: /^2$/ }).first().waitFor();
  await expect(page.getByRole("link", { name: "Overview" })).toHaveAttribute("aria-current", "page");
  await page.getByRole("main").getByRole("link", { name: "Dashboard", exact: true }).waitFor();
  await page.getByRole("img", { name: "New users per day" }).waitFor();

  // The search finds a user by a part of the e-mail, and keeps the search in the address.
  await page.getByRole("link", { name: "Users", exact: true }).click();
  await page.getByRole("link", { name: "superuser@parlance.local" }).waitFor();
  await page.getByRole("searchbox").fill(person.email.slice(0, 12).toUpperCase());
  await page.getByText("Users: 1", { exact: true }).waitFor();
  await isAccessible(page);

  await page.getByRole("link", { name: person.email }).click();
  await page.getByText("No subscription: the free plan.").waitFor();
  await page.getByRole("radio", { name: "Grant premium" }).check();
  await page.getByLabel("Last day").fill(`${new Date().getFullYear() + 1}-05-01`);
  await isAccessible(page);
  await change(page, "Grant premium");
  await page.getByText("Premium granted.").waitFor();
  await page.getByText("Premium, granted until 1 May").waitFor();

  // The user's page shows the premium, with nothing to pay or cancel.
  await theirs.page.goto(shared.at("/subscription"));
  await theirs.page.getByText("You have Premium for free until 1 May").waitFor();
  await expect(theirs.page.getByRole("button", { name: "Cancel subscription" })).toHaveCount(0);
  await theirs.page.goto(shared.at("/encrypted-audio"));
  await theirs.page.getByLabel("Passphrase", { exact: true }).waitFor();

  await page.getByRole("link", { name: "Audit log" }).click();
  const row = page.getByRole("row").filter({ hasText: reason });
  await row.getByText(/^Free → Premium until 1 May/).waitFor();
  await row.getByText("superuser@parlance.local").waitFor();
  await isAccessible(page);
  await row.getByRole("link", { name: person.email }).click();

  // Blocks the account, which the owner reads at sign-in, and deletes the account.
  await change(page, "Block the account");
  await page.getByText("Account blocked.").waitFor();
  await expect(page.getByRole("main").getByText("Blocked", { exact: true })).toBeVisible();
  await isAccessible(page);

  await theirs.page.goto(shared.at("/signin"));
  const form = theirs.page.locator("form").filter({ has: theirs.page.locator("input[type=password]") });
  await form.locator("input[type=email]").fill(person.email);
  await form.locator("input[type=password]").fill(person.password);
  await form.locator("button[type=submit]").click();
  await expect(theirs.page.getByText("The operator of this server has blocked your account.")).toBeVisible();

  await change(page, "Delete the account");
  await page.getByText("Account deleted.").waitFor();
  await page
    .getByText("No users found.")
    .or(page.getByText(/^Users: /))
    .first()
    .waitFor();
  await page.getByRole("link", { name: "Audit log" }).click();
  const entry = page.getByRole("row").filter({ hasText: "Delete the account" });
  await expect(entry.getByText(reason)).toBeVisible();
  await expect(entry.getByText("Deleted account")).toBeVisible();

  // Makes and verifies a backup, and lists it with the command that restores it.
  await page.getByRole("link", { name: "Backups" }).click();
  await page.getByRole("button", { name: "Back up now" }).click();
  await page.getByText("Verified").waitFor();
  await page.getByText(/npm run restore -- .*parlance-/).waitFor();
  await isAccessible(page);
});
