import { randomUUID } from "node:crypto";
import type { Page } from "playwright";
import { afterAll, test } from "vitest";
import { expect, sharedPage, sharedParlance } from "#tests/browser/harness.ts";
import { linkIn, openMailServer, type Received } from "#tests/fixtures/mail-server.ts";

// The pages that mails link to, with a real mail server.
const mail = await openMailServer();
afterAll(() => mail[Symbol.asyncDispose]());
const shared = sharedParlance({ env: mail.env });
const pages = sharedPage(shared);

interface Correspondent {
  page: Page;
  at(path: string): string;
  /** A new address whose mails belong to this test. */
  newAddress(): string;
  /** Waits until this test's addresses have this many mails, and returns the last one. */
  next(count: number): Promise<Received | undefined>;
  /** The newest mail to each address. */
  lettersTo(...addresses: string[]): (Received | undefined)[];
}

async function open(expected: RegExp[] = []): Promise<Correspondent> {
  const { page } = await pages.empty(expected);
  const own: string[] = [];
  const received = () => mail.received.filter(({ to }) => own.some((address) => to.includes(address)));
  return {
    page,
    at: shared.at,
    newAddress: () => {
      const address = `${randomUUID()}@example.org`;
      own.push(address);
      return address;
    },
    next: async (count) => {
      await expect.poll(() => received().length).toBe(count);
      return received().at(-1);
    },
    lettersTo: (...addresses) => addresses.map((address) => mail.received.findLast(({ to }) => to.includes(address))),
  };
}

const submit = (page: Page) => page.locator("form button[type=submit]").click();

async function fill(page: Page, values: Record<string, string>): Promise<void> {
  for (const [label, value] of Object.entries(values)) await page.getByLabel(label).fill(value);
  await submit(page);
}

// SPEC 2 Public routes: "E-mail confirmation steps"
// SPEC 2 Public routes: "Same screen, confirmation done"
test("creates an account, confirms it by the mailed link, and signs in", { tags: "quick" }, async () => {
  const { page, at, next, newAddress } = await open([/403/, /404 \(Not Found\).*subscription/]);
  const account = { "E-mail": newAddress(), Password: "correct horse" };
  await page.goto(at("/signup?plan=premium&interval=month"));
  await fill(page, account);
  await page.getByRole("status").getByText("Please check your email to verify your account.").waitFor();
  await page.goto(at("/signin"));
  await fill(page, account);
  await page.getByRole("alert").getByText("Please check your email to verify your account.").waitFor();
  // The user requests another mail, which makes the first mail's link invalid.
  await page.getByRole("link", { name: "Didn’t get an e-mail?" }).click();
  await page.getByRole("heading", { name: "Confirm your e-mail" }).waitFor();
  await next(1);
  await fill(page, { "E-mail": account["E-mail"] });
  await page.getByText("If this address still needs to be confirmed, an e-mail is on its way.").waitFor();
  await page.goto(linkIn(await next(2)));
  // The link alone does not confirm the address: the user must also know the account's password.
  await fill(page, { Password: "not the one" });
  await page.getByRole("alert").getByText("Wrong password.").waitFor();
  await page.getByRole("link", { name: "Choose a new password" }).waitFor();
  await page.getByLabel("Password").fill(account.Password);
  await page.getByRole("button", { name: "Confirm address" }).click();
  await page.getByRole("heading", { name: "E-mail confirmed" }).waitFor();
  await page.getByRole("link", { name: "Back to sign-in" }).click();
  await page.getByRole("heading", { name: "Welcome back" }).waitFor();
  await fill(page, account);
  // The plan chosen before sign-up leads to the checkout. (subscription/walk.test.ts covers a sign-up without a plan.)
  await page.waitForURL(/\/billing\/test\//);
  await page.getByText("€12.00").waitFor();
});

// SPEC 2 Public routes: "Request a password reset"
// SPEC 2 Public routes: "Same screen, reset password"
test("replaces a forgotten password by the mailed link, which works once", async () => {
  const { page, at, next, newAddress } = await open([/410/, /401/]);
  const address = newAddress();
  await page.goto(at("/signup"));
  await fill(page, { "E-mail": address, Password: "correct horse" });
  await page.getByRole("status").getByText("Please check your email").waitFor();
  await next(1);
  await page.goto(at("/signin"));
  await page.getByRole("link", { name: "Forgot your password?" }).click();
  await page.getByRole("heading", { name: "Forgot your password?" }).waitFor();
  await fill(page, { "E-mail": "This is not a valid address" });
  await page.getByText("Enter an e-mail address such as name@example.com.").waitFor();
  await fill(page, { "E-mail": address });
  await page.getByText("an e-mail is on its way").waitFor();
  const link = linkIn(await next(2));
  await page.goto(link);
  await fill(page, { "New password": "short" });
  await page.getByText("Use at least 8 characters.").waitFor();
  await page.reload();
  await fill(page, { "New password": "battery staple" });
  await page.getByText("Your password was changed. Sign in with the new one.").waitFor();
  await page.getByRole("link", { name: "Back to sign-in" }).click();
  await page.getByRole("heading", { name: "Welcome back" }).waitFor();
  await fill(page, { "E-mail": address, Password: "battery staple" });
  await page.waitForURL("**/dashboard");
  await page.goto(link);
  await fill(page, { "New password": "battery staple" });
  await page.getByText("This link is too old or was already used.").waitFor();
  await page.getByRole("link", { name: "Ask for a new link" }).click();
  await page.getByRole("heading", { name: "Forgot your password?" }).waitFor();
});

test("stops another person's change of address by the link in the mail to the present address", async () => {
  const { page, at, next, newAddress, lettersTo } = await open([/410/]);
  const [address, wanted] = [newAddress(), newAddress()];
  await page.goto(at("/signup"));
  await fill(page, { "E-mail": address, Password: "correct horse" });
  await page.goto(linkIn(await next(1)));
  await fill(page, { Password: "correct horse" });
  await page.getByRole("heading", { name: "E-mail confirmed" }).waitFor();
  const account = JSON.stringify({ email: address, password: "correct horse" });
  const change = JSON.stringify({ email: wanted, password: "correct horse" });
  // The attacker has the password and uses another browser.
  const status = await page.evaluate(
    async ({ account, change }) => {
      const api = document.querySelector<HTMLMetaElement>("meta[name=parlance-api]")?.content;
      const post = (path: string, body: string, token = "") =>
        fetch(`${api}${path}`, {
          method: "POST",
          body,
          headers: { "Content-Type": "application/json", Authorization: `Bearer ${token}` },
        });
      const { accessToken } = await (await post("/auth/login", account)).json();
      return (await post("/users/me/email", change, accessToken)).status;
    },
    { account, change },
  );
  expect(status).toBe(202);
  await next(3);
  const [stop, move] = lettersTo(address, wanted);
  await page.goto(linkIn(stop));
  await page.getByRole("heading", { name: "Stop the change of address" }).waitFor();
  await page.getByRole("button", { name: "Stop the change" }).click();
  await page
    .getByRole("status")
    .getByText("The person who asked for the change knew your password, so choose a new one now")
    .waitFor();
  await page.getByRole("link", { name: "Choose a new password" }).click();
  await page.getByRole("heading", { name: "Forgot your password?" }).waitFor();
  // Both links are invalid now.
  await page.goto(linkIn(move));
  await page.getByRole("button", { name: "Confirm address" }).click();
  await page.getByText("This link is too old or was already used.").waitFor();
  await page.goto(linkIn(stop));
  await page.getByRole("button", { name: "Stop the change" }).click();
  await page.getByRole("alert").getByText("There is nothing to stop").waitFor();
  await page.getByRole("link", { name: "Choose a new password" }).waitFor();
});
