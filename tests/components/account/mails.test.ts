import { describe, expect, test } from "vitest";
import { answer, openPage, page, refusal } from "#tests/components/harness.ts";

// The pages that mails link to, and the pages that ask for a mail.

const token = "t".repeat(43);
const heading = (name: string) => page.getByRole("heading", { level: 1, name, exact: true });
const submit = () => page.getByRole("main").getByRole("button").last().click();
const openAt = (path: string) => openPage(path, { as: "visitor" });

/** Answers a call and records the bodies it receives. */
function keep(path: string, given: object | Response = {}): unknown[] {
  const sent: unknown[] = [];
  answer({
    [`POST ${path}`]: async ({ request }) => {
      sent.push(await request.json());
      return given instanceof Response ? given : { message: "OK", ...given };
    },
  });
  return sent;
}

describe("forms that ask for a mail", () => {
  test.each([
    [
      "/forgot-password",
      "Forgot your password?",
      "/auth/forgot-password",
      "sent",
      "If an account with this address exists, an e-mail is on its way.",
    ],
    ["/forgot-password", "Forgot your password?", "/auth/forgot-password", "none", "This server can’t send e-mail."],
    [
      "/forgot-password",
      "Forgot your password?",
      "/auth/forgot-password",
      "delayed",
      "The mail server can’t be reached at the moment.",
    ],
    [
      "/email-confirmation",
      "Confirm your e-mail",
      "/auth/resend-confirmation",
      "sent",
      "If this address still needs to be confirmed, an e-mail is on its way.",
    ],
    [
      "/email-confirmation",
      "Confirm your e-mail",
      "/auth/resend-confirmation",
      undefined,
      "If this address still needs to be confirmed, an e-mail is on its way",
    ],
  ])('%s (%s) posts to %s and explains the answer "%s"', async (path, title, call, mails, said) => {
    const sent = keep(call, mails === undefined ? {} : { mails });
    await openAt(path);
    await expect.element(heading(title)).toBeVisible();
    const email = page.getByLabelText("E-mail");
    await email.fill("This is not a valid address");
    await submit();
    await expect.element(page.getByText("Enter an e-mail address such as name@example.com.")).toBeVisible();
    await expect.element(email).toHaveFocus();
    expect(sent).toEqual([]);
    await email.fill("ada@example.org");
    await submit();
    await expect.element(page.getByRole("status").filter({ hasText: said })).toBeVisible();
    expect(sent).toEqual([{ email: "ada@example.org", language: "en" }]);
    await expect.element(page.getByRole("link", { name: "Back to sign-in" })).toBeVisible();
  });
});

describe("a new password", () => {
  const password = page.getByLabelText("New password");

  test("sets a new password from a mail's link", async () => {
    const sent = keep("/auth/reset-password");
    await openAt(`/auth/reset-password#token=${token}`);
    await password.fill("short");
    await submit();
    await expect.element(page.getByText("Use at least 8 characters.")).toBeVisible();
    await password.fill("battery staple");
    await submit();
    await expect.element(page.getByText("Your password was changed. Sign in with the new one.")).toBeVisible();
    expect(sent).toEqual([{ token, password: "battery staple" }]);
    await page.getByRole("link", { name: "Back to sign-in" }).click();
    await expect.element(heading("Welcome back")).toBeVisible();
  });

  test("refuses a new password when its link was used before, and offers a new link", async () => {
    keep("/auth/reset-password", refusal(410, "linkInvalid"));
    await openAt(`/reset-password#token=${token}`);
    await password.fill("battery staple");
    await submit();
    await expect.element(page.getByText("This link is too old or was already used.")).toBeVisible();
    await page.getByRole("link", { name: "Ask for a new link" }).click();
    await expect.element(heading("Forgot your password?")).toBeVisible();
  });
});

describe("address confirmation", () => {
  const confirm = page.getByRole("button", { name: "Confirm address" });

  test("confirms an address when the user presses the button", async () => {
    const sent = keep("/auth/confirm-email");
    await openAt(`/email-verification#token=${token}`);
    await confirm.click();
    await expect.element(heading("E-mail confirmed")).toBeVisible();
    expect(sent).toEqual([{ token, password: "" }]);
  });

  test("requires the password to confirm the address of a new account", async () => {
    keep("/auth/confirm-email", refusal(403, "wrongPassword"));
    await openAt(`/email-verification#token=signup-${token}`);
    await submit();
    await expect.element(page.getByText("Enter your password.")).toBeVisible();
    await page.getByLabelText("Password", { exact: true }).fill("not the one");
    await confirm.click();
    await expect.element(page.getByRole("alert").filter({ hasText: "Wrong password." })).toBeVisible();
    const sent = keep("/auth/confirm-email");
    await page.getByLabelText("Password", { exact: true }).fill("correct horse");
    await confirm.click();
    await expect.element(heading("E-mail confirmed")).toBeVisible();
    expect(sent).toEqual([{ token: `signup-${token}`, password: "correct horse" }]);
  });

  test("offers a new password with the same link when somebody else created the account", async () => {
    await openAt(`/email-verification#token=signup-${token}`);
    const way = page.getByRole("link", { name: "Choose a new password" });
    await expect.element(way).toHaveAttribute("href", `/auth/reset-password#token=signup-${token}`);
    await way.click();
    await expect.element(heading("Choose a new password")).toBeVisible();
  });

  test("keeps the address when its change is stopped, and explains when the stop comes too late", async () => {
    const sent = keep("/auth/stop-email-change");
    await openAt(`/email-verification#token=stop-${token}`);
    await expect.element(heading("Stop the change of address")).toBeVisible();
    const stop = page.getByRole("button", { name: "Stop the change" });
    await stop.click();
    await expect.element(page.getByText("The change was stopped, and your account keeps its address.")).toBeVisible();
    expect(sent).toEqual([{ token: `stop-${token}` }]);
    await expect.element(page.getByRole("link", { name: "Choose a new password" })).toHaveAttribute("href", "/forgot-password");
    keep("/auth/stop-email-change", refusal(410, "linkInvalid"));
    await openAt(`/email-verification#token=stop-${"u".repeat(43)}`);
    await stop.click();
    await expect.element(page.getByText("There is nothing to stop")).toBeVisible();
    await expect.element(page.getByRole("link", { name: "Choose a new password" })).toHaveAttribute("href", "/forgot-password");
  });

  test("lets the user confirm an address again after a server error", async () => {
    keep("/auth/confirm-email", refusal(500, "internal"));
    await openAt(`/email-verification#token=${token}`);
    await confirm.click();
    await expect.element(page.getByRole("alert")).toBeVisible();
    await expect.element(confirm).toBeVisible();
  });
});

test.each(["/reset-password", "/auth/reset-password", "/email-verification"])(
  "tells the user at %s to open the mail's link when the token is missing",
  async (path) => {
    await openAt(path);
    await expect.element(page.getByText("Open the link in the e-mail you asked for.")).toBeVisible();
  },
);

test.each(["/email-confirm-success", "/auth/confirm-email"])("shows at %s that the address was confirmed", async (path) => {
  await openAt(path);
  await expect.element(page.getByText("Your e-mail address is confirmed.")).toBeVisible();
  await expect.element(page.getByRole("link", { name: "Back to sign-in" })).toBeVisible();
  await openPage(path);
  await expect.element(page.getByRole("main").getByRole("link", { name: "Dashboard" })).toBeVisible();
});
