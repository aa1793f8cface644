import { generate } from "otplib";
import type { Browser, Page } from "playwright-core";
import { beforeAll, test } from "vitest";
import {
  enterAsSuperuser,
  expect,
  openPage,
  type Parlance,
  type Person,
  sharedBrowser,
  startParlance,
  type Visit,
} from "#tests/browser/harness.ts";
import { startIdentityProvider } from "#tests/fixtures/identity-provider.ts";

// Each way to sign in with a second factor takes long in a browser; its rules: tests/server/second-factor/.

let browser: Browser;
beforeAll(async () => {
  browser = await sharedBrowser();
});

const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const at = (server: Parlance, path: string) => new URL(path, server.url).href;

async function visit(expected: RegExp[]): Promise<Visit> {
  const opened = await openPage(browser, { expected: [/favicon\.ico/, ...expected] });
  const fonts = "https://fonts.googleapis.com/**";
  await opened.page.context().route(fonts, (route) => route.fulfill({ contentType: "text/css", body: "" }));
  return opened;
}

/** On the settings page. @returns the recovery codes */
async function turnOn(page: Page, password: string): Promise<string[]> {
  const card = page.getByRole("region", { name: "Two-step sign-in", exact: true });
  await button(page, "Turn on…").click();
  await card.getByLabel("Your present password").fill(password);
  await page.keyboard.press("Enter");
  const secret = ((await card.getByTestId("secret").textContent()) ?? "").replaceAll(" ", "");
  await card.getByLabel("Code", { exact: true }).fill(await generate({ secret }));
  await page.keyboard.press("Enter");
  const codes = ((await card.getByTestId("recovery-codes").textContent()) ?? "").split("\n");
  await button(page, "I have kept them").click();
  return codes;
}

async function typeRecoveryCode(page: Page, code: string | undefined): Promise<void> {
  await page.getByRole("heading", { name: "One more step", level: 1 }).waitFor();
  await button(page, "Use a recovery code").click();
  await page.getByLabel("Recovery code", { exact: true }).fill(code ?? "");
  await page.keyboard.press("Enter");
  await page.waitForURL(/dashboard/);
}

async function signInAtProvider(page: Page, login: string): Promise<void> {
  await page.locator("input[name=login]").fill(login);
  await page.locator("input[name=password]").fill("x");
  await button(page, "Sign-in").click();
  await button(page, "Continue").click();
}

test("an account at another provider opens nothing without the code: linked, in a window of its own, and in the same window", async () => {
  await using provider = await startIdentityProvider();
  await using server = await startParlance({ env: provider.env });
  const ada: Person = { email: "ada@example.org", password: "correct horse" };
  provider.serve(server.apiUrl, { ada: { email: ada.email, email_verified: true, name: "Ada" } });
  await using opened = await visit([/401/, /403/, /410/]);
  const { page } = opened;
  await page.goto(at(server, "/signup"));
  await page.getByLabel("E-mail").fill(ada.email);
  await page.getByLabel("Password", { exact: true }).fill(ada.password);
  await button(page, "Sign up").click();
  await page.waitForURL(/dashboard/);
  await page.goto(at(server, "/settings#second-factor"));
  const [one, two, three] = await turnOn(page, ada.password);
  await page.evaluate(() => localStorage.clear());
  await page.context().clearCookies();

  // Linking: the password of the account, then its code.
  await page.goto(at(server, "/signin"));
  const [popup] = await Promise.all([page.waitForEvent("popup"), button(page, "Continue with Google").click()]);
  await signInAtProvider(popup, "ada");
  await page.getByRole("heading", { name: "Connect the two accounts" }).waitFor();
  await page.getByLabel("Password", { exact: true }).fill(ada.password);
  await page.keyboard.press("Enter");
  await typeRecoveryCode(page, one);

  // Linked, in a window of its own.
  await page.evaluate(() => localStorage.clear());
  await page.goto(at(server, "/signin"));
  await button(page, "Continue with Google").click();
  await typeRecoveryCode(page, two);

  // In the same window.
  await page.evaluate(() => localStorage.clear());
  await page.goto(`${server.apiUrl}/auth/google`);
  await typeRecoveryCode(page, three);
});

test("an administrator of a server that wants it sets it up before the admin pages open", async () => {
  await using server = await startParlance({ env: { ADMIN_SECOND_FACTOR: "1" } });
  await using opened = await visit([/403/]);
  const { page } = opened;
  const superuser = await enterAsSuperuser(page, server);
  await page.goto(at(server, "/admin"));
  await page.getByText("Administrators of this server need two-step sign-in.").first().waitFor();
  await expect(page).toHaveURL(/\/settings#second-factor$/);
  await expect(page.locator(":focus")).toHaveText("Two-step sign-in");
  await page.getByText(/until it is on, the admin pages are closed to you/).waitFor();
  // The settings ask for the profile anew; the admin pages open before that is answered.
  const held = Promise.withResolvers<void>();
  await page.route(`${server.apiUrl}/users/me`, (route) => held.promise.then(() => route.continue()), { times: 1 });
  await turnOn(page, superuser.password);
  await page.getByRole("link", { name: "Admin Panel" }).click();
  await page.getByRole("heading", { level: 1, name: /Admin/ }).waitFor();
  held.resolve();
});
