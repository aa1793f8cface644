import { expect, onTestFinished, test, vi } from "vitest";
import type { SignInMethods } from "#contract/index.ts";
import { apiBase } from "#src/api/http.ts";
import { pageRouter } from "#src/browser/page-router.ts";
import { keepOAuthCallback } from "#src/features/session/oauth-callback.ts";
import { ada, answer, holdAnswer, lost, openPage, page, refusal, usage, userEvent } from "#tests/components/harness.ts";
import { makeToken } from "#tests/fixtures/token.ts";

// Sign-in with an account of another provider, in a popup window and in the same window. The popup is simulated.

const main = page.getByRole("main");
const button = (name: string) => main.getByRole("button", { name, exact: true });
const heading = (name: string) => expect.element(main.getByRole("heading", { name, exact: true, level: 1 })).toBeVisible();
const isAt = (path: string) => expect.poll(() => location.pathname).toBe(path);
const apiOrigin = new URL(apiBase, location.href).origin;
const hint = main.getByText("Continue in the window that just opened.");
const token = (parts: object = {}) => {
  const seconds = Math.floor(Date.now() / 1000);
  return makeToken({ sub: "ada", iat: seconds, exp: seconds + 900, ...parts });
};
const signedIn = { "GET /users/me": ada, "GET /api/v1/usage": usage };

/** Replaces `window.open` and records the windows that the page opens. */
function playWindows() {
  const windows: { url: string; popup: { closed: boolean } }[] = [];
  const opening = vi.spyOn(window, "open").mockImplementation((url) => {
    const popup = { closed: false, focus: () => {} };
    windows.push({ url: String(url).replace(apiBase, ""), popup });
    return Object.create(popup);
  });
  onTestFinished(() => opening.mockRestore());
  return windows;
}
const say = (data: unknown, origin = apiOrigin) => dispatchEvent(new MessageEvent("message", { data, origin }));

/** Opens the page as the provider leaves it: at the callback's address with this query. */
async function comeBack(query: string): Promise<void> {
  await openPage("/about", { as: "visitor" });
  localStorage.setItem("redirectTo", "/feedback");
  await import("#src/features/account/federated-return-actor.ts");
  pageRouter().clearCache();
  const here = location.href;
  history.replaceState(history.state, "", `/auth/google/callback${query}`);
  keepOAuthCallback();
  history.replaceState(history.state, "", here);
  await openPage("/auth/google/callback", { as: "visitor" });
}

// SPEC 4 Federated sign-in message: "When sign-in starts and the current path is not /signin, that path is stored"
// SPEC 4 Federated sign-in message: "A window message of type AUTH_SUCCESS, from the API origin"
test("signs in by the popup's message, and explains a popup that failed or was closed", async () => {
  const windows = playWindows();
  answer(signedIn);
  await openPage("/signin", { as: "visitor" });
  await button("Continue with Google").click();
  expect(windows[0]?.url).toBe("/auth/google?popup=1");
  await expect.element(hint).toBeVisible();
  expect(localStorage.getItem("redirectTo")).toBeNull();
  say({ type: "AUTH_FAILURE", code: "providerFailed" });
  const alert = main.getByRole("alert");
  await expect.element(alert).toHaveTextContent("Google authentication failed");
  await expect.element(hint).not.toBeInTheDocument();
  await button("Continue with Google").click();
  await expect.element(alert).not.toBeInTheDocument();
  const popup = windows[1]?.popup;
  if (popup) popup.closed = true;
  dispatchEvent(new Event("focus"));
  await expect.element(hint).not.toBeInTheDocument();
  // On any page but the sign-in page, the current page is the one to return to.
  await openPage("/signup?lng=en", { as: "visitor" });
  await button("Continue with Google").click();
  expect(localStorage.getItem("redirectTo")).toBe("/signup?lng=en");
  const accessToken = token();
  say({ type: "AUTH_SUCCESS", accessToken }, "https://evil.example");
  say({ type: "AUTH_SUCCESS", accessToken: 7 });
  expect(localStorage.getItem("jwtToken")).toBeNull();
  localStorage.setItem("redirectTo", "/feedback");
  say({ type: "AUTH_SUCCESS", accessToken });
  await isAt("/feedback");
  expect([localStorage.getItem("jwtToken"), localStorage.getItem("redirectTo")]).toEqual([accessToken, null]);
});

// SPEC 4 Federated sign-in message: "The browser then navigates to the remembered path"
test("returns to the wanted page even when the sign-in begins on the sign-up page", async () => {
  playWindows();
  answer(signedIn);
  await openPage("/feedback?about=sound", { as: "visitor" });
  await isAt("/signin");
  await main.getByRole("link", { name: "Create account" }).click();
  await isAt("/signup");
  await button("Continue with Google").click();
  expect(localStorage.getItem("redirectTo")).toBe("/feedback?about=sound");
  say({ type: "AUTH_SUCCESS", accessToken: token() });
  await expect.poll(() => location.pathname + location.search).toBe("/feedback?about=sound");
});

// SPEC 8: "'Failed to fetch user profile after Google auth'"
test("exchanges the callback's code for a token, and retries when the server did not answer", async () => {
  const sent: unknown[] = [];
  const accessToken = token();
  answer({
    ...signedIn,
    "GET /users/me": lost,
    "POST /auth/google/exchange": async ({ request }) => {
      sent.push(await request.json());
      return sent.length === 1 ? lost() : { accessToken };
    },
  });
  await comeBack("?code=one-time");
  await heading("Google authentication failed");
  await expect.element(main.getByText(/^Cannot connect to server\./)).toBeVisible();
  await button("Try again").click();
  await heading("Failed to fetch user profile after Google auth");
  await expect.element(main.getByText("The sign-in itself worked. Check your connection and try again.")).toBeVisible();
  await expect.element(main.getByRole("link", { name: "Back to sign-in" })).toHaveAttribute("href", "/signin");
  answer(signedIn);
  await button("Try again").click();
  await isAt("/feedback");
  await expect.element(page.getByRole("status").getByText("You are signed in.")).toBeVisible();
  expect(sent).toEqual([{ code: "one-time" }, { code: "one-time" }]);
  expect(localStorage.getItem("jwtToken")).toBe(accessToken);
});

test("asks whether the account is the user's own before a link with a token signs in", async () => {
  const accessToken = token({ sid: "theirs" });
  answer({ ...signedIn, "POST /auth/refresh": { accessToken: token({ sid: "other" }) } });
  await comeBack(`?token=${accessToken}`);
  await heading("Is this your account?");
  const ask = "This sign-in as ada@example.org was not started in this browser. Continue only if this is your account.";
  await expect.element(main.getByText(ask)).toBeVisible();
  expect(localStorage.getItem("jwtToken")).toBeNull();
  await button("Yes, continue").click();
  await isAt("/feedback");
});

// SPEC 8: "'Google authentication failed'"
test.each([
  ["?token=x.y.z", "Nothing was changed. Go back and try again, or sign in with your e-mail and password."],
  ["?error=nonsense", "Nothing was changed."],
  ["", "Nothing was changed."],
  [
    "?error=providerEmail",
    "Google hasn’t confirmed your e-mail address. Confirm it there, or create an account with a password.",
  ],
])("explains why the callback's query %j signs nobody in", async (query, text) => {
  await comeBack(query);
  await heading("Google authentication failed");
  await expect.element(main.getByRole("alert").getByText(text)).toBeVisible();
  await main.getByRole("link", { name: "Back to sign-in" }).click();
  await expect.element(button("Continue with Google")).toBeVisible();
});

test("connects the provider's account after the password of the existing account", async () => {
  const sent: unknown[] = [];
  const held = holdAnswer();
  answer({
    ...signedIn,
    "GET /auth/link": held.answer,
    "POST /auth/link": async ({ request }) => {
      sent.push(await request.json());
      return sent.length === 1 ? refusal(403, "wrongPassword") : { accessToken: token(), user: ada };
    },
  });
  await comeBack("?error=linkRequired");
  await expect.element(main.getByText("Authenticating...").first()).toBeVisible();
  held.give({ provider: "Google", email: "ada@example.org", theirEmail: "ada@gmail.example" });
  await heading("Connect the two accounts");
  const lead =
    "There is already an account for ada@example.org. Enter its password, and from now on you can also sign in with Google (ada@gmail.example). All other devices will be signed out.";
  await expect.element(main.getByText(lead)).toBeVisible();
  await expect.element(main.getByRole("link", { name: "Don’t connect" })).toHaveAttribute("href", "/signin");
  await expect.element(button("Continue with Google")).not.toBeInTheDocument();
  const password = main.getByLabelText("Password", { exact: true });
  await button("Connect Google and sign in").click();
  await expect.element(password).toHaveAccessibleDescription("Enter your password.");
  await expect.element(password).toHaveFocus();
  await password.fill("wrong");
  await userEvent.keyboard("{Enter}");
  await expect.element(main.getByRole("alert")).toMatchTextContent(/^Wrong password\./);
  await password.fill("correct horse");
  await userEvent.keyboard("{Enter}");
  await isAt("/feedback");
  await expect.element(page.getByRole("status").getByText("You are signed in.")).toBeVisible();
  expect(sent).toEqual([{ password: "wrong" }, { password: "correct horse" }]);
});

test("starts the sign-in again when no accounts wait to be connected, and asks for the second factor", async () => {
  answer({ "GET /auth/link": refusal(500, "internal"), "GET /auth/second-factor": { email: "ada@example.org" } });
  await comeBack("?error=linkRequired");
  await heading("Google authentication failed");
  answer({ "GET /auth/link": refusal(410, "gone") });
  await button("Try again").click();
  await expect.element(main.getByText("This took too long or was already done. Start the sign-in again.")).toBeVisible();
  await expect.element(main.getByRole("link", { name: "Back to sign-in" })).toBeVisible();
  answer({
    "GET /auth/link": { provider: "Google", email: "ada@example.org", theirEmail: "ada@gmail.example" },
    "POST /auth/link": refusal(403, "secondFactorRequired"),
  });
  await comeBack("?error=linkRequired");
  await main.getByLabelText("Password", { exact: true }).fill("correct horse");
  await userEvent.keyboard("{Enter}");
  await isAt("/second-step");
  await comeBack("?error=secondFactorRequired");
  await isAt("/second-step");
  await openPage("/auth/google/callback", { as: "visitor" });
  await heading("Google authentication failed");
});

test("connects a provider in the settings, and confirms the identity of a user without a password", async () => {
  const windows = playWindows();
  const google = { id: "google", name: "Google", issuer: "https://accounts.google.com" };
  const known: SignInMethods = { provider: "Google", providers: [google], linked: [], confirmedUntil: null };
  answer({ "GET /users/me/sign-in-methods": known });
  await openPage("/settings/security");
  const methods = page.getByRole("region", { name: "Other ways to sign in" });
  const connect = methods.getByRole("button", { name: "Connect Google", exact: true });
  await connect.click();
  expect(windows[0]?.url).toBe("/auth/google?popup=1&purpose=link");
  say({ type: "AUTH_FAILURE", code: "providerTaken" }, "https://evil.example");
  await expect.element(connect).toHaveAttribute("aria-busy", "true");
  say({ type: "AUTH_FAILURE", code: "providerTaken" });
  await expect.element(methods.getByText("This Google account is already connected to another account here.")).toBeVisible();
  await connect.click();
  const popup = windows[1]?.popup;
  dispatchEvent(new Event("focus"));
  await expect.element(connect).toHaveAttribute("aria-busy", "true");
  if (popup) popup.closed = true;
  dispatchEvent(new Event("focus"));
  await expect.element(methods.getByText("The window was closed too early. Try again.")).toBeVisible();
  const bob = { id: "bob", hasPassword: false } as const;
  const linked = [{ issuer: google.issuer, linkedAt: "2026-01-02T10:00:00.000Z" }];
  answer({ "GET /users/me": { ...ada, ...bob }, "GET /users/me/sign-in-methods": { ...known, linked } });
  await openPage("/about");
  await openPage("/settings/account", { profile: bob });
  const email = page.getByRole("region", { name: "E-mail", exact: true });
  await email.getByRole("button", { name: "Change… E-mail" }).click();
  await email.getByRole("button", { name: "Confirm with Google" }).click();
  expect(windows[2]?.url).toBe("/auth/google?popup=1&purpose=confirm");
  answer({ "GET /users/me/sign-in-methods": { ...known, linked, confirmedUntil: "2026-03-04T11:10:00.000Z" } });
  say({ type: "AUTH_CONFIRMED" });
  await expect.element(email.getByText("Confirmed. You can make changes until 12:10.")).toBeVisible();
});
