import { generate } from "otplib";
import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, test } from "vitest";
import { openPage, type Parlance, screenshots, sharedBrowser, startParlance, type Visit } from "#tests/browser/harness.ts";
import { type IdentityProvider, startIdentityProvider } from "#tests/fixtures/identity-provider.ts";

let browser: Browser;
let provider: IdentityProvider;
let server: Parlance;
const password = "correct horse";

beforeAll(async () => {
  browser = await sharedBrowser();
  provider = await startIdentityProvider();
  server = await startParlance({ env: provider.env });
  provider.serve(server.apiUrl, {
    ada: { email: "ada@example.org", email_verified: true, name: "Ada" },
    bob: { email: "bob@example.org", email_verified: true, name: "Bob" },
  });
});
afterAll(async () => {
  await server?.stop();
  await provider?.[Symbol.asyncDispose]();
});

async function visit(expected: RegExp[] = []): Promise<Visit> {
  const opened = await openPage(browser, { expected: [/favicon\.ico/, ...expected] });
  await opened.page
    .context()
    .route("https://fonts.googleapis.com/**", (route) => route.fulfill({ contentType: "text/css", body: "" }));
  return opened;
}

const at = (path: string) => new URL(path, server.url).href;
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });
const card = (page: Page, name: string) => page.getByRole("region", { name, exact: true });

async function popupBy(page: Page, press: () => Promise<void>): Promise<Page> {
  const [popup] = await Promise.all([page.waitForEvent("popup"), press()]);
  return popup;
}

/**
 * Fills in the provider's pages. The provider asks for the name only if it does not know the user, or was told to
 * forget them.
 */
async function signInAtProvider(page: Page, login: string): Promise<void> {
  await page.locator("input[name=login]").fill(login);
  await page.locator("input[name=password]").fill("x");
  await page.getByRole("button", { name: "Sign-in" }).click();
}

/**
 * Turns on the second factor on the settings page.
 * @returns a recovery code
 */
async function turnOnSecondFactor(page: Page): Promise<string> {
  const factor = card(page, "Two-step sign-in");
  await button(page, "Turn on…").click();
  await factor.getByLabel("Current password").fill(password);
  await page.keyboard.press("Enter");
  const secret = ((await factor.getByTestId("secret").textContent()) ?? "").replaceAll(" ", "");
  await factor.getByLabel("Code", { exact: true }).fill(await generate({ secret }));
  await page.keyboard.press("Enter");
  const codes = ((await factor.getByTestId("recovery-codes").textContent()) ?? "").split("\n");
  await button(page, "Done").click();
  return codes[0] ?? "";
}

test("connects a provider's account after the password of the existing account with the same address", async () => {
  await using opened = await visit();
  const { page } = opened;
  await page.goto(at("/signup"));
  await page.getByLabel("E-mail").fill("ada@example.org");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page
    .getByRole("status")
    .getByText(/^(Fair|Strong|Very strong)$/)
    .waitFor();
  await screenshots(page, "sign-up");
  await page.getByRole("button", { name: "Create account", exact: true }).click();
  await page.waitForURL(/dashboard/);
  await page.evaluate(() => localStorage.clear());
  await page.goto(at("/signin"));
  const popup = await popupBy(page, () => button(page, "Continue with Google").click());
  await signInAtProvider(popup, "ada");
  await popup.getByRole("button", { name: "Continue" }).click();
  await page.getByRole("heading", { name: "Connect the two accounts" }).waitFor();
  await page.getByText("There is already an account for ada@example.org.").waitFor();
  await screenshots(page, "link");
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.keyboard.press("Enter");
  await page.waitForURL(/dashboard/);
  await page.goto(at("/settings/security"));
  const methods = card(page, "Other ways to sign in");
  await methods.getByText(/^Google: connected since/).waitFor();
  await methods.scrollIntoViewIfNeeded();
  await screenshots(page, "methods");
  // The provider's account alone does not sign in to an account with a second factor.
  const code = await turnOnSecondFactor(page);
  await page.evaluate(() => localStorage.clear());
  await page.goto(at("/signin"));
  await button(page, "Continue with Google").click();
  await page.getByRole("heading", { name: "One more step", level: 1 }).waitFor();
  await button(page, "Use a recovery code").click();
  await page.getByLabel("Recovery code", { exact: true }).fill(code);
  await page.keyboard.press("Enter");
  await page.waitForURL(/dashboard/);
  await page.goto(at("/settings/security"));
  const present = methods.getByLabel("Current password");
  await methods.getByRole("button", { name: /^Disconnect Google…/ }).click();
  await present.fill(password);
  await button(page, "Disconnect Google").click();
  await methods.getByText("You can also sign in with Google. You’ll need your password once.").waitFor();
  await methods.getByText("Google is disconnected. All other devices are signed out.").waitFor();
  // Connects the provider again; it knows the user by now.
  await popupBy(page, () => button(page, "Connect Google").click());
  await page.getByRole("heading", { name: "Connect the two accounts" }).waitFor();
});

test("lets a user without a password change their address and choose a password after a fresh sign-in", async () => {
  await using opened = await visit([/403/]);
  const { page } = opened;
  await page.goto(at("/signin"));
  const first = await popupBy(page, () => button(page, "Continue with Google").click());
  await signInAtProvider(first, "bob");
  await first.getByRole("button", { name: "Continue" }).click();
  await page.waitForURL(/dashboard/);
  await page.goto(at("/settings/account"));
  const email = card(page, "E-mail");
  await email.getByRole("button", { name: /^Change…/ }).click();
  await email.getByText("You have no password here.").waitFor();
  await email.getByLabel("New e-mail address").fill("bob@example.net");
  await button(page, "Change address").click();
  await email.getByRole("alert").getByText("Please confirm that it’s you").waitFor();
  await email.scrollIntoViewIfNeeded();
  await screenshots(page, "confirm");
  const closed = await popupBy(page, () => email.getByRole("button", { name: "Confirm with Google" }).click());
  await signInAtProvider(closed, "bob");
  await email.getByText(/^Confirmed\. You can make changes until/).waitFor();
  await button(page, "Change address").click();
  await email.getByText(/^This server can’t send e-mail\./).waitFor();
  await page.getByRole("link", { name: "Security", exact: true }).click();
  const passwords = card(page, "Password");
  await passwords.getByRole("button", { name: /^Choose…/ }).click();
  await passwords.getByLabel("New password").fill("battery staple");
  await button(page, "Set password").click();
  await passwords.getByText("All other devices are signed out.").waitFor();
});
