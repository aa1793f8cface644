import { expect, test } from "vitest";
import { ada, answer, holdAnswer, openPage, page, refusal, userEvent } from "#tests/components/harness.ts";

// The address and the password, each behind a button.

const card = (name: string) => page.getByRole("region", { name, exact: true });
const email = card("E-mail");
const password = card("Password");
const opener = email.getByRole("button", { name: "Change… E-mail", exact: true });
const address = email.getByLabelText("New e-mail address");
const present = email.getByLabelText("Your present password", { exact: true });
const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
const enter = () => userEvent.keyboard("{Enter}");
const none =
  "This server sends no mails. If there is a link for you, whoever runs it finds it with “npm run mails” and can give it to you.";
const withoutPassword = { id: "bob", hasPassword: false } as const;

test("opens the form for the address with the focus in it, and gives the focus back when it is given up", async () => {
  await openPage("/settings/account");
  await expect.element(email.getByText("Your address is ada@example.org.", { exact: true })).toBeVisible();
  await expect.element(email.getByText("This address is not confirmed yet")).not.toBeInTheDocument();
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

test("asks for an address and the password before anything is sent", async () => {
  await openPage("/settings/account");
  await opener.click();
  await address.fill("nowhere");
  await enter();
  await expect.element(address).toHaveAccessibleDescription(/Write an e-mail address such as name@example\.com\./);
  await expect.element(present).toHaveAccessibleDescription("Enter your password.");
  await expect.element(address).toHaveFocus();
  await address.fill("new@example.org");
  await enter();
  await expect.element(present).toHaveFocus();
});

test("keeps what was typed while the password is wrong, and changes the address by mail", async () => {
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
  const refused = email.getByRole("alert").getByText("The password is wrong. Type the one that you sign in with.");
  await expect.element(refused).toBeVisible();
  await expect.element(address).toHaveValue("new@example.org");
  await present.fill("correct horse");
  await press("Change the address");
  const done = "A mail is on its way to new@example.org. The address changes when you open the link in it.";
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
])("says what becomes of the mail where mails are %s, and that once", async (mails, text) => {
  const held = holdAnswer();
  answer({ "POST /users/me/email": { message: "", mails }, "POST /auth/resend-confirmation": held.answer });
  await openPage("/settings/account", { profile: { id: "carol", emailVerified: false } });
  const said = email.getByText(text);
  await expect.element(email.getByText("This address is not confirmed yet: the link in a mail to it does that.")).toBeVisible();
  await press("Send the mail again");
  held.give({ message: "", mails });
  await expect.element(said).toBeVisible();
  // What became of the mail that was asked for before is no longer said beside the form.
  await opener.click();
  await expect.element(said).not.toBeInTheDocument();
  await address.fill("new@example.org");
  await present.fill("correct horse");
  await enter();
  await expect.element(said).toBeVisible();
  await press("Send the mail again");
  await expect.element(said).not.toBeInTheDocument();
  held.give({ message: "", mails });
  await expect.element(said).toBeVisible();
  expect(held.calls()).toBe(2);
});

test("sends the confirmation again to the person's address, in the page's language", async () => {
  const sent: unknown[] = [];
  answer({
    "POST /auth/resend-confirmation": async ({ request }) => {
      sent.push(await request.json());
      return sent.length === 1 ? refusal(429, "tooManyRequests", { "Retry-After": "120" }) : { message: "" };
    },
  });
  await openPage("/settings/account", { profile: { id: "dora", emailVerified: false } });
  await press("Send the mail again");
  await expect.element(email.getByRole("alert").getByText("Too many attempts. Try again in 2 minutes.")).toBeVisible();
  await press("Send the mail again");
  await expect.element(email.getByText("If this address waits to be confirmed, a mail is on its way.")).toBeVisible();
  await expect.element(email.getByRole("alert")).not.toBeInTheDocument();
  expect(sent).toEqual([
    { email: "ada@example.org", language: "en" },
    { email: "ada@example.org", language: "en" },
  ]);
});

test("tells a password manager whose password it is, which is the present one and which the new one", async () => {
  await openPage("/settings/security");
  await password.getByRole("button", { name: "Change… Password", exact: true }).click();
  await expect.element(password.getByLabelText("Your present password", { exact: true })).toHaveFocus();
  const inputs = [...document.querySelectorAll<HTMLInputElement>('section[aria-labelledby="password"] input')];
  expect(inputs.map(({ autocomplete }) => autocomplete)).toEqual(["username", "current-password", "new-password"]);
  expect(inputs[0]?.value).toBe("ada@example.org");
});

test("changes the password, and knows that all other sessions have ended", async () => {
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
  const sessions = card("Where you are signed in").getByRole("listitem");
  await expect.poll(() => sessions.elements().length).toBe(2);
  await password.getByRole("button", { name: "Change… Password", exact: true }).click();
  await password.getByLabelText("Your present password", { exact: true }).fill("correct horse");
  await password.getByLabelText("New password", { exact: true }).fill("ada@example.org");
  await press("Change the password");
  await expect.element(password.getByText("The password must not be your e-mail address")).toBeVisible();
  await password.getByLabelText("New password", { exact: true }).fill("battery staple");
  await press("Change the password");
  const said = "The password is changed. All other sign-ins have ended.";
  await expect.element(password.getByRole("status").getByText(said, { exact: true })).toBeVisible();
  expect(sent).toEqual([{ currentPassword: "correct horse", newPassword: "battery staple" }]);
  await expect.poll(() => sessions.elements().length).toBe(1);
});

test("says at the new password that it is one of the most common ones", async () => {
  answer({ "POST /users/me/password": refusal(422, "passwordCommon") });
  await openPage("/settings/security");
  await password.getByRole("button", { name: "Change… Password", exact: true }).click();
  await password.getByLabelText("Your present password", { exact: true }).fill("correct horse");
  await password.getByLabelText("New password", { exact: true }).fill("password1");
  await press("Change the password");
  await expect.element(password.getByRole("alert").getByText("one of the most common")).toBeVisible();
});

test("asks whoever signs in through another account alone for no password, and lets them choose one", async () => {
  const sent: unknown[] = [];
  answer({
    "GET /users/me": { ...ada, ...withoutPassword },
    "POST /users/me/password": async ({ request }) => {
      sent.push(await request.json());
      return { message: "" };
    },
  });
  await openPage("/settings/security", { profile: withoutPassword });
  await expect.element(password.getByText("You sign in through another account so far.")).toBeVisible();
  await password.getByRole("button", { name: "Choose… Password", exact: true }).click();
  await expect.element(password.getByLabelText("Your present password")).not.toBeInTheDocument();
  const chosen = password.getByLabelText("New password", { exact: true });
  await expect.element(chosen).toHaveFocus();
  for (const [typed, text] of [
    ["", "Enter your password."],
    ["short", "Use at least 8 characters."],
    [" ".repeat(8), "A password can’t consist of spaces alone."],
    ["x".repeat(257), "Use at most 256 characters."],
  ] as const) {
    await chosen.fill(typed);
    await press("Choose the password");
    await expect.element(chosen).toHaveAccessibleDescription(new RegExp(text));
  }
  await chosen.fill("battery staple");
  await press("Choose the password");
  await expect.element(password.getByText("All other sign-ins have ended.", { exact: false })).toBeVisible();
  expect(sent).toEqual([{ currentPassword: "", newPassword: "battery staple" }]);
  // From now on there is one.
  await expect.element(password.getByRole("button", { name: "Change… Password", exact: true })).toBeVisible();
  await press("Change… Password");
  await expect.element(password.getByLabelText("Your present password", { exact: true })).toBeVisible();
});
