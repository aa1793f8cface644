import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import type { Browser, Page } from "playwright";
import { beforeAll, test } from "vitest";
import { expect, openPage, type Parlance, sharedBrowser, startParlance } from "#tests/browser/harness.ts";
import { fixture } from "#tests/browser/harness-files.ts";
import { messages, meter, spendMinutes } from "#tests/browser/harness-usage.ts";
import { button, choose, heading, listed, makeVault, unlock } from "#tests/browser/harness-vault.ts";
import { linkIn, startMailServer } from "#tests/fixtures/mail-server.ts";

// A user's path from the first visit to the end of a subscription.

const reached = "You've reached your 10-minute monthly limit. Upgrade for unlimited usage.";
const needed = "This feature requires an active subscription";
// /subscriptions/me answers 404 to a user without a subscription.
const expected = [/404 \(Not Found\).*subscription/];

let browser: Browser;
beforeAll(async () => {
  browser = await sharedBrowser();
});

interface Walk {
  page: Page;
  server: Parlance;
  email: string;
  visit(path: string): Promise<void>;
}

async function fill(page: Page, values: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(values)) await page.getByLabel(label).fill(value);
  await page.locator("form button[type=submit]").click();
}

test("walks from sign-up through free minutes, upgrade, encryption and cancellation back to the free plan", async () => {
  const mail = await startMailServer();
  await using server = await startParlance({ env: mail.env });
  await using opened = await openPage(browser, { expected });
  const { page } = opened;
  const visit = async (path: string) => void (await page.goto(new URL(path, server.url).href));
  const walk: Walk = { page, server, visit, email: `${randomUUID()}@example.org` };
  await signUpByMail(walk, async () => {
    await expect.poll(() => mail.received.length).toBe(1);
    return linkIn(mail.received[0]);
  });
  await useFreeMinutes(walk);
  await upgrade(walk);
  await encrypt(walk);
  await cancel(walk);
  await reachPeriodEnd(walk);
});

async function signUpByMail({ page, email, visit }: Walk, mailedLink: () => Promise<string>): Promise<void> {
  const account = { "E-mail": email, Password: "correct horse" };
  await visit("/signup");
  await fill(page, account);
  await page.getByRole("status").getByText("Please check your email to verify your account.").waitFor();
  await page.goto(await mailedLink());
  // The link alone proves nothing: anybody could have registered the address.
  await page.getByLabel("Password", { exact: true }).fill(account.Password);
  await button(page, "Confirm address").click();
  await page.getByRole("link", { name: "Back to sign-in" }).click();
  await fill(page, account);
  await page.waitForURL("**/dashboard");
}

/** Uses the free tier up to its last minute. */
async function useFreeMinutes({ page, server, email, visit }: Walk): Promise<void> {
  await visit("/subscription");
  await page.getByText("Ten free minutes a month.").waitFor();
  await vaultIsShut({ page, visit });
  await visit("/speech-to-text");
  await meter(page).getByText("0.0 of 10 free minutes used this month").waitFor();
  await canRecord(page);
  spendMinutes(server, email, 10);
  await limitIsReached({ page, visit });
}

/** The button is busy while the page looks for unfinished recordings. */
async function canRecord(page: Page): Promise<void> {
  await expect(button(page, "Start recording")).not.toHaveAttribute("aria-disabled");
}

async function vaultIsShut({ page, visit }: Pick<Walk, "page" | "visit">): Promise<void> {
  await visit("/encrypted-audio");
  await page.waitForURL("**/subscription");
  await messages(page).getByText(needed, { exact: true }).waitFor();
}

async function limitIsReached({ page, visit }: Pick<Walk, "page" | "visit">): Promise<void> {
  await visit("/speech-to-text");
  await messages(page).getByText(reached, { exact: true }).waitFor();
  const record = button(page, "Start recording");
  await expect(record).toHaveAttribute("aria-describedby");
  await expect(record).toHaveAttribute("aria-disabled", "true");
}

async function upgrade({ page, visit }: Walk): Promise<void> {
  await page.getByRole("main").getByRole("link", { name: "Upgrade" }).first().click();
  await page.waitForURL("**/subscription");
  await button(page, "Upgrade for €96 a year").click();
  await page.getByText("This is a test payment").waitFor();
  await button(page, "Pay (test)").click();
  await heading(page, "Welcome to Premium").waitFor();
  await visit("/speech-to-text");
  await page.getByTestId("drop-zone").waitFor();
  await canRecord(page);
}

async function encrypt({ page, server }: Walk): Promise<void> {
  await makeVault(page, server);
  await page.locator("input[type=file]").setInputFiles(fixture("harbor.ogg"));
  await listed(page).waitFor();
}

async function cancel({ page, visit }: Walk): Promise<void> {
  await visit("/subscription");
  await button(page, "Cancel subscription").click();
  await button(page.getByRole("dialog"), "Cancel subscription").click();
  await page.getByText("Canceled. You keep Premium").waitFor();
  await visit("/speech-to-text");
  await page.getByTestId("drop-zone").waitFor();
  await canRecord(page);
}

async function reachPeriodEnd({ page, server, visit }: Walk): Promise<void> {
  await page.goto("about:blank");
  const changing = () => new DatabaseSync(join(server.dataDir, "parlance.db"), { timeout: 10_000 });
  {
    using db = changing();
    db.prepare("update subscriptions set period_end = ?").run(Date.now() - 1_000);
  }
  await server.restart();
  const status = () => {
    using db = changing();
    return db.prepare("select status from subscriptions").all();
  };
  await expect.poll(status).toEqual([{ status: "canceled" }]);
  await visit("/subscription");
  await page.getByText("Your subscription has ended. Everything you have made is still here.").waitFor();
  await button(page, "Upgrade for €96 a year").waitFor();
  await vaultIsReadable({ page, visit });
  await limitIsReached({ page, visit });
}

/** Encrypted recordings stay accessible; only additions need the subscription. */
async function vaultIsReadable({ page, visit }: Pick<Walk, "page" | "visit">): Promise<void> {
  await visit("/encrypted-audio");
  await unlock(page);
  await page.getByText("You can open, play, search and download what is in the vault.").waitFor();
  // The navigation shows no lock on the vault.
  const navigation = page.getByRole("navigation", { name: "Main" });
  await navigation.getByRole("link", { name: "free minutes left" }).waitFor();
  await expect(navigation.getByRole("link", { name: "Encrypted audio", exact: true })).toBeVisible();
  await expect(button(page, "Choose files")).toHaveCount(0);
  await button(listed(page), /^Play/).click();
  await button(page, "Pause").waitFor();
  const sound = page.waitForEvent("download");
  await choose(listed(page), "Download decrypted");
  await sound;
  await page.getByRole("main").getByRole("link", { name: "Upgrade" }).click();
  await button(page, "Upgrade for €96 a year").waitFor();
}
