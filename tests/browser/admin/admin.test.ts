import type { Page } from "playwright-core";
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

test("a superuser looks, finds somebody, gives them premium with a reason, and it stands in the log", async () => {
  await using theirs = await openPage(shared.browser, { expected: [/404/] });
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
  await page.getByText("The numbers as a table").first().click();
  await page.getByRole("table", { name: "New users per day" }).waitFor();
  await page.getByRole("link", { name: "7 days" }).click();
  await page.waitForURL("**/admin?section=overview&days=7");
  // Where one is stays marked, whatever else stands in the address.
  const current = page.getByRole("main").getByRole("navigation").first().locator("[aria-current]");
  await expect(current).toHaveText("Overview");
  await page.goto(new URL("/admin?lng=de", page.url()).href);
  await expect(current).toHaveText("Kennzahlen");
  await page.goto(new URL("/admin?lng=en", page.url()).href);
  await expect(current).toHaveText("Overview");

  // Somebody is found by a part of the address, which stands in the page's.
  await page.getByRole("link", { name: "Users", exact: true }).click();
  await page.getByRole("link", { name: "superuser@parlance.local" }).waitFor();
  await expect(page.getByRole("link", { name: "Users", exact: true })).toHaveAttribute("aria-current", "page");
  await page.getByRole("searchbox", { name: "Search in e-mail and name" }).fill("nobody_here");
  await page.getByText("Nobody was found.").waitFor();
  await page.getByRole("searchbox").fill(person.email.slice(0, 12).toUpperCase());
  await page.getByText("Users: 1", { exact: true }).waitFor();
  await page.waitForURL((url) => url.searchParams.get("search") === person.email.slice(0, 12).toUpperCase());
  await page.reload();
  await page.getByText("Users: 1", { exact: true }).waitFor();
  await expect(page.getByRole("searchbox")).toHaveValue(person.email.slice(0, 12).toUpperCase());
  await isAccessible(page);

  // What the page has on them; the heading has the focus that the link in the list had.
  await page.getByRole("link", { name: person.email }).click();
  await page.getByRole("heading", { name: person.email }).waitFor();
  await expect(page.getByRole("heading", { name: person.email })).toBeFocused();
  await page.getByText("No subscription: the free plan.").waitFor();

  // Nothing is given without a day to come and a reason, and not without being asked once more.
  await page.getByRole("radio", { name: "Give premium" }).check();
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("Choose a day that is still to come.").waitFor();
  await page.getByLabel("Last day").fill(`${new Date().getFullYear() + 1}-05-01`);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByText("Say why: at least three letters.").waitFor();
  await isAccessible(page);
  await page.getByRole("textbox", { name: "Reason" }).fill(reason);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("dialog").getByText(`${person.email} gets premium until 1 May`).waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("dialog").waitFor({ state: "hidden" });
  await expect(page.getByRole("textbox", { name: "Reason" })).toHaveValue(reason);

  // A failure is shown, and nothing that was typed is lost.
  own.expect(/500/);
  const call = `${shared.server.apiUrl}/admin/users/*/subscription`;
  await page.route(call, (route) => route.fulfill({ status: 500 }));
  const confirm = async () => {
    await page.getByRole("button", { name: "Continue" }).click();
    await page.getByRole("dialog").getByRole("button", { name: "Yes, do it" }).click();
  };
  await confirm();
  await page.getByRole("alert").getByText("Failed to update user").waitFor();
  await page.unroute(call);
  await confirm();
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
  await page.getByText("Premium, given until 1 May").waitFor();
  await page.goBack();
  await row.waitFor();
});

/** Chooses what is done with an account, says why, and confirms it. */
async function change(page: Page, action: string): Promise<void> {
  await page.getByRole("radio", { name: action }).check();
  await page.getByRole("textbox", { name: "Reason" }).fill(reason);
  await page.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Yes, do it" }).click();
}

test("an account is blocked, which its owner reads at sign-in, opened again and deleted; one's own is neither", async () => {
  await using theirs = await openPage(shared.browser, { expected: [/401/, /403/, /404/] });
  const person = await enter(theirs.page, shared.server);
  await theirs.page.goto(shared.at("/dashboard"));
  await theirs.page.getByRole("heading", { level: 1 }).waitFor();
  await using own = await openPage(shared.browser);
  const { page } = own;
  await signInAsSuperuser(page);

  await page.goto(shared.at("/admin?section=users&search=superuser@parlance"));
  await page.getByRole("link", { name: "superuser@parlance.local" }).click();
  await page.getByRole("radio", { name: "Take the administrator’s rights" }).waitFor();
  await expect(page.getByRole("radio", { name: /the account$/ })).toHaveCount(0);

  await page.goto(shared.at(`/admin?section=users&search=${person.email}`));
  await page.getByRole("link", { name: person.email }).click();
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

  await change(page, "Unblock the account");
  await page.getByText("The account is open again.").waitFor();
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

  // The figures say how old they are, and come anew.
  await page.getByRole("link", { name: "Overview" }).click();
  await page.getByText(/^As of /).waitFor();
  const asked = page.waitForResponse(/\/admin\/metrics/);
  await page.getByRole("button", { name: "Refresh" }).click();
  expect((await asked).ok()).toBe(true);
});

test("a job under way is cancelled, once that is confirmed", async () => {
  await using visit = await openPage(shared.browser);
  const { page } = visit;
  const job = {
    id: "j1",
    userId: "u1",
    email: "ada@example.org",
    state: "running",
    origin: "upload",
    language: "en",
    engine: null,
    durationSeconds: 60,
    stage: "recognizing",
    fraction: 0.5,
    failures: 0,
    error: null,
    canRetry: false,
    createdAt: "2026-03-01T12:00:00.000Z",
  };
  const pagination = { page: 1, limit: 20, total: 1, totalPages: 1 };
  await page.route(/\/admin\/jobs\?/, (route) => route.fulfill({ json: { jobs: [job], pagination } }));
  const cancelled: string[] = [];
  await page.route(/\/admin\/jobs\/j1\//, (route) => {
    cancelled.push(`${route.request().method()} ${new URL(route.request().url()).pathname}`);
    return route.fulfill({ json: { ...job, state: "failed", error: "cancelledByOperator" } });
  });
  await signInAsSuperuser(page);
  await page.goto(shared.at("/admin?section=jobs"));
  const button = page.getByRole("button", { name: "Cancel the job of ada@example.org" });
  await button.click();
  await page.getByRole("dialog").getByRole("button", { name: "Let it go on" }).click();
  expect(cancelled).toEqual([]);
  await button.click();
  await isAccessible(page);
  await page.getByRole("dialog").getByRole("button", { name: "Cancel the job" }).click();
  await page.getByText("The job is cancelled.").waitFor();
  expect(cancelled).toEqual(["POST /admin/jobs/j1/cancel"]);
});

test("what can't be fetched says so, keeps what is shown, and comes when it is tried again", async () => {
  await using visit = await openPage(shared.browser, { expected: [/500/] });
  const { page } = visit;
  await signInAsSuperuser(page);
  const calls = `${shared.server.apiUrl}/admin/**`;
  for (const [section, failed, there] of [
    ["overview", "Failed to fetch metrics", "Sign-ins today"],
    ["users", "Failed to fetch users", "superuser@parlance.local"],
    ["log", "Failed to fetch audit log", "Entries"],
  ] as const) {
    await page.route(calls, (route) => route.fulfill({ status: 500 }));
    await page.goto(shared.at(`/admin?section=${section}`));
    await page.getByRole("alert").getByText(failed, { exact: true }).waitFor();
    await page.unroute(calls);
    await page.getByRole("button", { name: "Try again" }).click();
    await page.getByText(there).first().waitFor();
    await page.getByRole("alert").waitFor({ state: "hidden" });
  }
});
