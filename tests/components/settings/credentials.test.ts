import { expect, test } from "vitest";
import { ada, answer, holdAnswer, openPage, page, refusal, userEvent } from "#tests/components/harness.ts";

// The e-mail address and the password, each behind a button.

const card = (name: string) => page.getByRole("region", { name, exact: true });
const email = card("E-mail");
const password = card("Password");
const opener = email.getByRole("button", { name: "Change… E-mail", exact: true });
const address = email.getByLabelText("New e-mail address");
const present = email.getByLabelText("Current password", { exact: true });
const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
const enter = () => userEvent.keyboard("{Enter}");
const none = "This server can’t send e-mail. Ask the person who runs it for your link: they can find it with “npm run mails”.";
const withoutPassword = { id: "bob", hasPassword: false } as const;

test("focuses the form for a new address, and returns the focus when the user cancels", async () => {
  await openPage("/settings/account");
  await expect.element(email.getByText("Your address is ada@example.org.", { exact: true })).toBeVisible();
  await expect.element(email.getByText("Confirm your e-mail: we sent you a link")).not.toBeInTheDocument();
  await expect.element(address).not.toBeInTheDocument();
  await opener.click();
  await expect.element(address).toHaveFocus();
  await address.fill("new@example.org");
  await userEvent.keyboard("{Escape}");
  await expect.element(opener).toHaveFocus();
  await opener.click();
  await expect.element(address).toHaveValue("");
  await press("Cancel");
  await expect.element(opener).toHaveFocus();
});

test("requires a valid address and the password before it sends a new address", async () => {
  await openPage("/settings/account");
  await opener.click();
  await address.fill("nowhere");
  await enter();
  await expect.element(address).toHaveAccessibleDescription(/Enter an e-mail address such as name@example\.com\./);
  await expect.element(present).toHaveAccessibleDescription("Enter your password.");
  await expect.element(address).toHaveFocus();
  await address.fill("new@example.org");
  await enter();
  await expect.element(present).toHaveFocus();
});

test("keeps the new address when the password is wrong, and sends a mail to confirm it", async () => {
  const sent: unknown[] = [];
  answer({
    "POST /users/me/email": async ({ request }) => {
      sent.push(await request.json());
      return sent.length === 1 ? refusal(403, "wrongPassword") : { message: "", mails: "sent" };
    },
  });
  await openPage("/settings/account");
  await opener.click();
  await address.fill(" new@example.org");
  await present.fill("wrong");
  await enter();
  const refused = email.getByRole("alert").getByText("Wrong password. Enter the one you sign in with.");
  await expect.element(refused).toBeVisible();
  await expect.element(address).toHaveValue("new@example.org");
  await present.fill("correct horse");
  await press("Change address");
  const done = "We sent an e-mail to new@example.org. Your address changes when you open the link in it.";
  await expect.element(email.getByRole("status").getByText(done, { exact: true })).toBeVisible();
  expect(sent).toEqual([
    { email: "new@example.org", password: "wrong" },
    { email: "new@example.org", password: "correct horse" },
  ]);
  await expect.element(address).not.toBeInTheDocument();
  await expect.element(opener).toHaveFocus();
});

test.each([
  ["none", none],
  ["delayed", "The mail server can’t be reached at the moment."],
])("explains once what happens to the mail when mails are %s", async (mails, text) => {
  const held = holdAnswer();
  answer({ "POST /users/me/email": { message: "", mails }, "POST /auth/resend-confirmation": held.answer });
  await openPage("/settings/account", { profile: { id: "carol", emailVerified: false } });
  const said = email.getByText(text);
  await expect.element(email.getByText("Confirm your e-mail: we sent you a link.")).toBeVisible();
  await press("Send the e-mail again");
  held.give({ message: "", mails });
  await expect.element(said).toBeVisible();
  // The form clears the message about the previous mail.
  await opener.click();
  await expect.element(said).not.toBeInTheDocument();
  await address.fill("new@example.org");
  await present.fill("correct horse");
  await enter();
  await expect.element(said).toBeVisible();
  await press("Send the e-mail again");
  await expect.element(said).not.toBeInTheDocument();
  held.give({ message: "", mails });
  await expect.element(said).toBeVisible();
  expect(held.calls()).toBe(2);
});

test("resends the confirmation mail in the page's language", async () => {
  const sent: unknown[] = [];
  answer({
    "POST /auth/resend-confirmation": async ({ request }) => {
      sent.push(await request.json());
      return sent.length === 1 ? refusal(429, "tooManyRequests", { "Retry-After": "120" }) : { message: "" };
    },
  });
  await openPage("/settings/account", { profile: { id: "dora", emailVerified: false } });
  await press("Send the e-mail again");
  await expect.element(email.getByRole("alert").getByText("Too many attempts. Try again in 2 minutes.")).toBeVisible();
  await press("Send the e-mail again");
  await expect.element(email.getByText("If this address still needs to be confirmed, an e-mail is on its way.")).toBeVisible();
  await expect.element(email.getByRole("alert")).not.toBeInTheDocument();
  expect(sent).toEqual([
    { email: "ada@example.org", language: "en" },
    { email: "ada@example.org", language: "en" },
  ]);
});

test("marks the user name and both passwords for a password manager", async () => {
  await openPage("/settings/security");
  await password.getByRole("button", { name: "Change… Password", exact: true }).click();
  await expect.element(password.getByLabelText("Current password", { exact: true })).toHaveFocus();
  const inputs = [...document.querySelectorAll<HTMLInputElement>('section[aria-labelledby="password"] input')];
  expect(inputs.map(({ autocomplete }) => autocomplete)).toEqual(["username", "current-password", "new-password"]);
  expect(inputs[0]?.value).toBe("ada@example.org");
});

test("changes the password, and removes all other sessions from the list", async () => {
  const sent: unknown[] = [];
  const phone = { id: "phone", device: null, createdAt: "2026-01-01T00:00:00.000Z", seenAt: null, current: false };
  answer({
    "GET /users/me/sessions": { sessions: [{ ...phone, id: "this", current: true }, phone] },
    "POST /users/me/password": async ({ request }) => {
      sent.push(await request.json());
      return { message: "" };
    },
  });
  await openPage("/settings/security");
  const sessions = card("Where you’re signed in").getByRole("listitem");
  await expect.poll(() => sessions.elements().length).toBe(2);
  await password.getByRole("button", { name: "Change… Password", exact: true }).click();
  await password.getByLabelText("Current password", { exact: true }).fill("correct horse");
  await password.getByLabelText("New password", { exact: true }).fill("ada@example.org");
  await press("Change password");
  await expect
    .element(password.getByText("Your password must not be your e-mail address, part of it, or the name of this product"))
    .toBeVisible();
  await password.getByLabelText("New password", { exact: true }).fill("battery staple");
  await press("Change password");
  const said = "Password changed. All other devices are signed out.";
  await expect.element(password.getByRole("status").getByText(said, { exact: true })).toBeVisible();
  expect(sent).toEqual([{ currentPassword: "correct horse", newPassword: "battery staple" }]);
  await expect.poll(() => sessions.elements().length).toBe(1);
});

test("rejects a new password that is one of the most common ones", async () => {
  answer({ "POST /users/me/password": refusal(422, "passwordCommon") });
  await openPage("/settings/security");
  await password.getByRole("button", { name: "Change… Password", exact: true }).click();
  await password.getByLabelText("Current password", { exact: true }).fill("correct horse");
  await password.getByLabelText("New password", { exact: true }).fill("password1");
  await press("Change password");
  await expect.element(password.getByRole("alert").getByText("This password is too common and easy to guess")).toBeVisible();
});

test("lets a user without a password choose one without a present password", async () => {
  const sent: unknown[] = [];
  answer({
    "GET /users/me": { ...ada, ...withoutPassword },
    "POST /users/me/password": async ({ request }) => {
      sent.push(await request.json());
      return { message: "" };
    },
  });
  await openPage("/settings/security", { profile: withoutPassword });
  await expect.element(password.getByText("You currently sign in through another account.")).toBeVisible();
  await password.getByRole("button", { name: "Choose… Password", exact: true }).click();
  await expect.element(password.getByLabelText("Current password")).not.toBeInTheDocument();
  const chosen = password.getByLabelText("New password", { exact: true });
  await expect.element(chosen).toHaveFocus();
  for (const [typed, text] of [
    ["", "Enter your password."],
    ["short", "Use at least 8 characters."],
    [" ".repeat(8), "A password can’t consist of spaces only."],
    ["x".repeat(257), "Use at most 256 characters."],
  ] as const) {
    await chosen.fill(typed);
    await press("Set password");
    await expect.element(chosen).toHaveAccessibleDescription(new RegExp(text));
  }
  await chosen.fill("battery staple");
  await press("Set password");
  await expect.element(password.getByText("All other devices are signed out.", { exact: false })).toBeVisible();
  expect(sent).toEqual([{ currentPassword: "", newPassword: "battery staple" }]);
  // The user has a password now.
  await expect.element(password.getByRole("button", { name: "Change… Password", exact: true })).toBeVisible();
  await press("Change… Password");
  await expect.element(password.getByLabelText("Current password", { exact: true })).toBeVisible();
});
