import type { Page } from "playwright";
import { test } from "vitest";
import { enter, enterAsSuperuser, expect, openPage, sharedParlance } from "#tests/browser/harness.ts";
import { violations } from "#tests/browser/harness-axe.ts";

const shared = sharedParlance();
const reason = "A friend of the house";

/** As the first start's superuser. */
async function signInAsSuperuser(page: Page): Promise<void> {
  await enterAsSuperuser(page, shared.server);
  await page.goto(shared.at("/dashboard"));
}

/** Whatever axe-core has to say about what is shown: nothing. */
const isAccessible = async (page: Page) => expect(await violations(page)).toEqual([]);

/** Chooses what is done with an account, says why, and confirms it. */
async function change(page: Page, action: string): Promise<void> {
  await page.getByRole("radio", { name: action }).check();
  await page.getByRole("textbox", { name: "Reason" }).fill(reason);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Yes, do it" }).click();
}

// SPEC 2 Navigation: "A Dashboard button shows for signed-in users on / and on /admin pages."
test("a superuser finds somebody, gives them premium, blocks and deletes the account, reads the log, and backs up", async () => {
  await using theirs = await openPage(shared.browser, { expected: [/401/, /403/, /404/] });
  const person = await enter(theirs.page, shared.server);
  await using own = await openPage(shared.browser);
  const { page } = own;
  await signInAsSuperuser(page);

  // The numbers come first, with charts that are tables, too.
  await page.getByRole("link", { name: "Admin Panel" }).first().click();
  await page.getByRole("definition").filter({ hasText: /^2$/ }).first().waitFor();
  await expect(page.getByRole("link", { name: "Overview" })).toHaveAttribute("aria-current", "page");
  await page.getByRole("main").getByRole("link", { name: "Dashboard", exact: true }).waitFor();
  await page.getByRole("img", { name: "New users per day" }).waitFor();

  // Somebody is found by a part of the address, which stands in the page's.
  await page.getByRole("link", { name: "Users", exact: true }).click();
  await page.getByRole("link", { name: "superuser@parlance.local" }).waitFor();
  await page.getByRole("searchbox").fill(person.email.slice(0, 12).toUpperCase());
  await page.getByText("Users: 1", { exact: true }).waitFor();
  await isAccessible(page);

  await page.getByRole("link", { name: person.email }).click();
  await page.getByText("No subscription: the free plan.").waitFor();
  await page.getByRole("radio", { name: "Give premium" }).check();
  await page.getByLabel("Last day").fill(`${new Date().getFullYear() + 1}-05-01`);
  await isAccessible(page);
  await change(page, "Give premium");
  await page.getByText("Premium was given.").waitFor();
  await page.getByText("Premium, given until 1 May").waitFor();

  // The page says so, and they have nothing to pay or to cancel.
  await theirs.page.goto(shared.at("/subscription"));
  await theirs.page.getByText("Premium was given to you until 1 May").waitFor();
  await expect(theirs.page.getByRole("button", { name: "Cancel the subscription" })).toHaveCount(0);
  await theirs.page.goto(shared.at("/encrypted-audio"));
  await theirs.page.getByLabel("Passphrase").waitFor();

  await page.getByRole("link", { name: "Audit log" }).click();
  const row = page.getByRole("row").filter({ hasText: reason });
  await row.getByText(/^Free → Premium until 1 May/).waitFor();
  await row.getByText("superuser@parlance.local").waitFor();
  await isAccessible(page);
  await row.getByRole("link", { name: person.email }).click();

  // The account is blocked, which its owner reads at sign-in, and deleted.
  await change(page, "Block the account");
  await page.getByText("The account is blocked.").waitFor();
  await expect(page.getByRole("main").getByText("Blocked", { exact: true })).toBeVisible();
  await isAccessible(page);

  await theirs.page.goto(shared.at("/signin"));
  const form = theirs.page.locator("form").filter({ has: theirs.page.locator("input[type=password]") });
  await form.locator("input[type=email]").fill(person.email);
  await form.locator("input[type=password]").fill(person.password);
  await form.locator("button[type=submit]").click();
  await expect(theirs.page.getByText("The operator of this server has blocked this account.")).toBeVisible();

  await change(page, "Delete the account");
  await page.getByText("The account was deleted.").waitFor();
  await page
    .getByText("Nobody was found.")
    .or(page.getByText(/^Users: /))
    .first()
    .waitFor();
  await page.getByRole("link", { name: "Audit log" }).click();
  const entry = page.getByRole("row").filter({ hasText: "Delete the account" });
  await expect(entry.getByText(reason)).toBeVisible();
  await expect(entry.getByText("Deleted account")).toBeVisible();

  // A backup is made, checked, and listed with the command that brings it back.
  await page.getByRole("link", { name: "Backups" }).click();
  await page.getByRole("button", { name: "Back up now" }).click();
  await page.getByText("Read back and compared").waitFor();
  await page.getByText(/npm run restore -- .*parlance-/).waitFor();
  await isAccessible(page);
});
