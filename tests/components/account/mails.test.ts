import { describe, expect, test } from "vitest";
import { answer, openPage, page, refusal } from "#tests/components/harness.ts";

// The pages that mails lead to, or that ask for a mail.

const token = "t".repeat(43);
const heading = (name: string) => page.getByRole("heading", { level: 1, name, exact: true });
const submit = () => page.getByRole("main").getByRole("button").last().click();
const openAt = (path: string) => openPage(path, { as: "visitor" });

/** Answers a call, and keeps what it is sent. */
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

describe("asks for a mail", () => {
  test.each([
    [
      "/forgot-password",
      "Forgot your password?",
      "/auth/forgot-password",
      "sent",
      "If there is an account with this address, a mail is on its way.",
    ],
    ["/forgot-password", "Forgot your password?", "/auth/forgot-password", "none", "This server sends no mails."],
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
      "If this address waits to be confirmed, a mail is on its way.",
    ],
    [
      "/email-confirmation",
      "Confirm your e-mail",
      "/auth/resend-confirmation",
      undefined,
      "If this address waits to be confirmed",
    ],
  ])("%s (%s): %s answers %s", async (path, title, call, mails, said) => {
    const sent = keep(call, mails === undefined ? {} : { mails });
    await openAt(path);
    await expect.element(heading(title)).toBeVisible();
    const email = page.getByLabelText("E-mail");
    await email.fill("not an address");
    await submit();
    await expect.element(page.getByText("Write an e-mail address such as name@example.com.")).toBeVisible();
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

  test("a new password is set by the link of a mail", async () => {
    const sent = keep("/auth/reset-password");
    await openAt(`/auth/reset-password#token=${token}`);
    await password.fill("short");
    await submit();
    await expect.element(page.getByText("Use at least 8 characters.")).toBeVisible();
    await password.fill("battery staple");
    await submit();
    await expect.element(page.getByText("The password was changed. Sign in with the new one.")).toBeVisible();
    expect(sent).toEqual([{ token, password: "battery staple" }]);
    await page.getByRole("link", { name: "Back to sign-in" }).click();
    await expect.element(heading("Welcome back")).toBeVisible();
  });

  test("a new password is refused when its link was used before, with a way to another link", async () => {
    keep("/auth/reset-password", refusal(410, "linkInvalid"));
    await openAt(`/reset-password#token=${token}`);
    await password.fill("battery staple");
    await submit();
    await expect.element(page.getByText("This link was used already or is too old.")).toBeVisible();
    await page.getByRole("link", { name: "Ask for a new link" }).click();
    await expect.element(heading("Forgot your password?")).toBeVisible();
  });
});

describe("an address", () => {
  const confirm = page.getByRole("button", { name: "Confirm the address" });

  test("an address is confirmed by a press on the button", async () => {
    const sent = keep("/auth/confirm-email");
    await openAt(`/email-verification#token=${token}`);
    await confirm.click();
    await expect.element(heading("E-mail confirmed")).toBeVisible();
    expect(sent).toEqual([{ token, password: "" }]);
  });

  test("the address of a new account needs the password", async () => {
    keep("/auth/confirm-email", refusal(403, "wrongPassword"));
    await openAt(`/email-verification#token=signup-${token}`);
    await submit();
    await expect.element(page.getByText("Enter your password.")).toBeVisible();
    await page.getByLabelText("Password", { exact: true }).fill("not the one");
    await confirm.click();
    await expect.element(page.getByRole("alert").filter({ hasText: "The password is wrong." })).toBeVisible();
    const sent = keep("/auth/confirm-email");
    await page.getByLabelText("Password", { exact: true }).fill("correct horse");
    await confirm.click();
    await expect.element(heading("E-mail confirmed")).toBeVisible();
    expect(sent).toEqual([{ token: `signup-${token}`, password: "correct horse" }]);
  });

  test("an address that somebody else has made an account for leads to another password with the same link", async () => {
    await openAt(`/email-verification#token=signup-${token}`);
    const way = page.getByRole("link", { name: "Choose a new password" });
    await expect.element(way).toHaveAttribute("href", `/auth/reset-password#token=signup-${token}`);
    await way.click();
    await expect.element(heading("Choose a new password")).toBeVisible();
  });

  test("an address stays when its change is stopped, and it is said when that is too late", async () => {
    const sent = keep("/auth/stop-email-change");
    await openAt(`/email-verification#token=stop-${token}`);
    await expect.element(heading("Stop a change of address")).toBeVisible();
    const stop = page.getByRole("button", { name: "Stop the change" });
    await stop.click();
    await expect.element(page.getByText("The change was stopped: your account keeps its address.")).toBeVisible();
    expect(sent).toEqual([{ token: `stop-${token}` }]);
    await expect.element(page.getByRole("link", { name: "Choose a new password" })).toHaveAttribute("href", "/forgot-password");
    keep("/auth/stop-email-change", refusal(410, "linkInvalid"));
    await openAt(`/email-verification#token=stop-${"u".repeat(43)}`);
    await stop.click();
    await expect.element(page.getByText("There is nothing to stop any more")).toBeVisible();
    await expect.element(page.getByRole("link", { name: "Choose a new password" })).toHaveAttribute("href", "/forgot-password");
  });

  test("an address can be confirmed again when the server fails", async () => {
    keep("/auth/confirm-email", refusal(500, "internal"));
    await openAt(`/email-verification#token=${token}`);
    await confirm.click();
    await expect.element(page.getByRole("alert")).toBeVisible();
    await expect.element(confirm).toBeVisible();
  });
});

test.each(["/reset-password", "/auth/reset-password", "/email-verification"])(
  "says at %s without a link to open the mail",
  async (path) => {
    await openAt(path);
    await expect.element(page.getByText("Open the link in the mail that you have asked for.")).toBeVisible();
  },
);

test.each(["/email-confirm-success", "/auth/confirm-email"])("says at %s that the address is confirmed", async (path) => {
  await openAt(path);
  await expect.element(page.getByText("The e-mail address is confirmed.")).toBeVisible();
  await expect.element(page.getByRole("link", { name: "Back to sign-in" })).toBeVisible();
  await openPage(path);
  await expect.element(page.getByRole("main").getByRole("link", { name: "Dashboard" })).toBeVisible();
});
