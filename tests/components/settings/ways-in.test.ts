import { expect, test } from "vitest";
import type { RecentSignIn, SignIn, SignInMethods } from "#contract/index.ts";
import { ada, answer, lost, openPage, page, refusal, userEvent } from "#tests/components/harness.ts";

// The user's sessions, and the connected accounts of providers.

const card = (name: string) => page.getByRole("region", { name, exact: true });
const sessions = card("Where you’re signed in");
const recent = card("Recent sign-ins");
const methods = card("Other ways to sign in");
const rows = (list: typeof sessions) =>
  list
    .getByRole("listitem")
    .elements()
    .map((row) => row.textContent?.trim());
const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
const agents = {
  linux: "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36",
  phone: "Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1",
};
const session = (id: string, more: Partial<SignIn> = {}): SignIn => ({
  ...{ id, device: agents.linux, createdAt: "2026-01-02T10:00:00.000Z", seenAt: null, current: false },
  ...more,
});

function keepSessions() {
  const ended: string[] = [];
  answer({
    "GET /users/me/sessions": {
      sessions: [
        session("this", { current: true, seenAt: "2026-03-04T11:00:00.000Z" }),
        session("phone/1", { device: agents.phone }),
        session("unknown", { device: null }),
      ],
    },
    "DELETE /users/me/sessions/:id": ({ params }) => {
      ended.push(String(params.id));
      return new Response(null, { status: 204 });
    },
    "DELETE /users/me/sessions": () => {
      ended.push("all");
      return new Response(null, { status: 204 });
    },
  });
  return ended;
}

test("lists the active sessions with device and times, and ends one, then all others", async () => {
  const ended = keepSessions();
  await openPage("/settings/security");
  await expect.poll(() => rows(sessions).length).toBe(3);
  expect(rows(sessions)[0]).toMatch(
    /^Chrome on Linux This device.*Last used: .*4 Mar 2026.*12:00.*Signed in: .*2 Jan 2026.*11:00$/,
  );
  expect(rows(sessions)[1]).toMatch(/^Safari on iPhone.*Last used: .*2 Jan 2026.*Sign out$/);
  expect(rows(sessions)[2]).toMatch(/^Unknown device/);
  await expect.element(sessions.getByRole("button", { name: "Sign out: Chrome on Linux" })).not.toBeInTheDocument();
  await press("Sign out: Safari on iPhone");
  const said = sessions.getByText("Signed out.", { exact: true });
  await expect.element(said).toBeVisible();
  // The pressed button is gone, so the message gets the focus.
  await expect.poll(() => document.activeElement?.textContent).toBe("Signed out.");
  expect(rows(sessions)).toHaveLength(2);
  await press("Sign out all others");
  await expect.element(sessions.getByText("All other devices are signed out.", { exact: true })).toBeVisible();
  expect(rows(sessions)).toHaveLength(1);
  await expect.element(page.getByRole("button", { name: "Sign out all others" })).not.toBeInTheDocument();
  expect(ended).toEqual(["phone/1", "all"]);
});

test("removes a session that has already ended, and keeps one that could not be ended", async () => {
  keepSessions();
  answer({ "DELETE /users/me/sessions/:id": ({ params }) => refusal(params.id === "unknown" ? 404 : 500, "notFound") });
  await openPage("/settings/security");
  await press("Sign out: Unknown device");
  await expect.element(sessions.getByText("Signed out.", { exact: true })).toBeVisible();
  await press("Sign out: Safari on iPhone");
  await expect.element(sessions.getByRole("alert")).toBeVisible();
  expect(rows(sessions)).toHaveLength(2);
});

test("retries loading the lists of sign-ins", async () => {
  answer({ "GET /users/me/sessions": refusal(500, "internal"), "GET /users/me/sign-ins": lost });
  await openPage("/settings/security");
  for (const list of [sessions, recent]) {
    await expect.element(list.getByRole("alert").getByText("Couldn’t load your active sessions.")).toBeVisible();
  }
  answer({ "GET /users/me/sessions": { sessions: [session("this", { current: true })] } });
  await sessions.getByRole("button", { name: "Try again" }).click();
  await expect.element(sessions.getByText("This device")).toBeVisible();
  await expect.element(sessions.getByRole("alert")).not.toBeInTheDocument();
  await expect.element(sessions.getByRole("heading")).toHaveFocus();
});

test("lists the method of each recent sign-in, also of ended sessions", async () => {
  const at = "2026-01-02T10:00:00.000Z";
  const one = (id: string, method: RecentSignIn["method"], current = false) => ({
    id,
    at,
    method,
    device: agents.linux,
    current,
  });
  answer({
    "GET /users/me/sign-ins": {
      signIns: [one("1", "password", true), one("2", "provider"), one("3", "passkey"), one("4", null)],
    },
  });
  await openPage("/settings/security");
  await expect
    .element(recent.getByText("All sign-ins of the last 90 days, including those that have ended. The latest 20 are shown here"))
    .toBeVisible();
  await expect.poll(() => rows(recent).length).toBe(4);
  const [first, second, third, fourth] = rows(recent);
  expect(first).toMatch(/^Chrome on Linux This device.*11:00, with the password$/);
  expect(second).toMatch(/^Chrome on Linux .*11:00, with another provider$/);
  expect(third).toMatch(/with a passkey$/);
  expect(fourth).toMatch(/11:00$/);
});

test("hides recent sign-ins when the server has no such list", async () => {
  answer({ "GET /users/me/sign-ins": refusal(404, "notOffered") });
  await openPage("/settings/security");
  await expect.element(sessions).toBeVisible();
  await expect.element(recent).not.toBeInTheDocument();
});

const google = { id: "google", name: "Google", issuer: "https://accounts.google.com" };
const linkedAt = "2026-01-02T10:00:00.000Z";
const known = (more: Partial<SignInMethods> = {}): SignInMethods => ({
  ...{ provider: "Google", providers: [google], linked: [], confirmedUntil: null },
  ...more,
});

test("disconnects a provider with the password, and ends all other sessions", async () => {
  keepSessions();
  const sent: unknown[] = [];
  answer({
    "GET /users/me/sign-in-methods": () => known(sent.length < 2 ? { linked: [{ issuer: google.issuer, linkedAt }] } : {}),
    "DELETE /users/me/identities": async ({ request }) => {
      sent.push(await request.json());
      return sent.length === 1 ? refusal(403, "wrongPassword") : new Response(null, { status: 204 });
    },
  });
  await openPage("/settings/security");
  await expect.element(methods.getByText(/^Google: connected since .*2 Jan 2026.*11:00\.$/)).toBeVisible();
  await methods.getByRole("button", { name: "Disconnect Google… Other ways to sign in", exact: true }).click();
  const present = methods.getByLabelText("Current password", { exact: true });
  await expect.element(present).toHaveFocus();
  await press("Disconnect Google");
  await expect.element(present).toHaveAccessibleDescription("Enter your password.");
  await present.fill("wrong");
  await userEvent.keyboard("{Enter}");
  await expect.element(methods.getByText("Wrong password.")).toBeVisible();
  await present.fill("correct horse");
  await userEvent.keyboard("{Enter}");
  await expect.element(methods.getByText("Google is disconnected. All other devices are signed out.")).toBeVisible();
  await expect.element(methods.getByText("You can also sign in with Google. You’ll need your password once.")).toBeVisible();
  expect(sent).toEqual([
    { password: "wrong", issuer: google.issuer },
    { password: "correct horse", issuer: google.issuer },
  ]);
  expect(rows(sessions)).toHaveLength(1);
});

test("names a connected provider that is no longer configured, and requires a password to disconnect it", async () => {
  const bob = { id: "bob", hasPassword: false } as const;
  answer({
    "GET /users/me": { ...ada, ...bob },
    "GET /users/me/sign-in-methods": known({
      provider: null,
      providers: [],
      linked: [{ issuer: "https://old.example", linkedAt }],
    }),
  });
  await openPage("/settings/security", { profile: bob });
  await expect.element(methods.getByText(/^https:\/\/old\.example: connected since/)).toBeVisible();
  await expect.element(methods.getByText("Set a password before you disconnect it.")).toBeVisible();
  await expect.element(methods.getByRole("button")).not.toBeInTheDocument();
  // No provider can confirm the user's identity, so only a password by mail is left.
  const password = card("Password");
  await password.getByRole("button", { name: "Choose… Password", exact: true }).click();
  await expect.element(password.getByText("You have no password here yet.")).toBeVisible();
  await expect.element(password.getByRole("link", { name: "Get a link to set one" })).toHaveAttribute("href", "/forgot-password");
});

test("asks a user without a password to confirm at the provider, and shows when the confirmation expires", async () => {
  const bob = { id: "bob", hasPassword: false } as const;
  answer({
    "GET /users/me": { ...ada, ...bob },
    "GET /users/me/sign-in-methods": known({ linked: [{ issuer: google.issuer, linkedAt }] }),
    "POST /users/me/email": refusal(403, "freshSignInRequired"),
  });
  await openPage("/settings/account", { profile: bob });
  const email = card("E-mail");
  const change = email.getByRole("button", { name: "Change… E-mail", exact: true });
  await change.click();
  const ask = "You have no password here. Before you change anything, confirm with Google that it’s you.";
  await expect.element(email.getByText(ask, { exact: true })).toBeVisible();
  await expect.element(email.getByRole("button", { name: "Confirm with Google" })).toBeVisible();
  await email.getByLabelText("New e-mail address").fill("bob@example.net");
  await press("Change address");
  await expect.element(email.getByRole("alert").getByText("Please confirm that it’s you")).toBeVisible();
  await openPage("/feedback");
  answer({
    "GET /users/me/sign-in-methods": known({
      linked: [{ issuer: google.issuer, linkedAt }],
      confirmedUntil: "2026-03-04T11:10:00.000Z",
    }),
  });
  await openPage("/settings/account", { profile: bob });
  await change.click();
  await expect.element(email.getByText("Confirmed. You can make changes until 12:10.", { exact: true })).toBeVisible();
});

test("hides other ways to sign in when there are none, and says when they could not be loaded", async () => {
  await openPage("/settings/security");
  await expect.element(sessions).toBeVisible();
  await expect.element(methods).not.toBeInTheDocument();
  await openPage("/feedback");
  answer({ "GET /users/me/sign-in-methods": refusal(500, "internal") });
  await openPage("/settings/security");
  await expect.element(methods.getByRole("alert").getByText("Couldn’t load your sign-in methods.")).toBeVisible();
});
