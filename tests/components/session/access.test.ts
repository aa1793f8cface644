import { expect, test, vi } from "vitest";
import type { UserProfile, Vault } from "#contract/index.ts";
import { signInRoutes, specifiedRoutes } from "#tests/browser/harness-routes.ts";
import {
  ada,
  answer,
  type HeldAnswer,
  holdAnswer,
  type OpenOptions,
  openPage,
  page,
  refusal,
} from "#tests/components/harness.ts";
import { makeToken } from "#tests/fixtures/token.ts";
import { renewOnce } from "./renew.ts";

// Access to each page, and its messages while it is checked (SPEC.md section 2, "Route guard").

const paths = (routes: readonly string[]) => routes.map((route) => route.replace(/\{\w+\}/, "1"));
const paidPage = "/encrypted-audio";
const subscriptionCall = "GET /subscriptions/account/subscription";
const vaultCall = "GET /api/v1/encrypted-audio";
const profileCall = "GET /users/me";
const failed = refusal(500, "internal");
const seen = (text: string) => expect.element(page.getByText(text, { exact: true }).first()).toBeVisible();
const toast = (text: string) => expect.element(page.getByRole("alert").getByText(text, { exact: true }).first()).toBeVisible();
const isAt = (path: string) => expect.poll(() => location.pathname).toBe(path);
const heading = (name: string) => expect.element(page.getByRole("heading", { name, level: 1 })).toBeVisible();

const sealed = "-----BEGIN AGE ENCRYPTED FILE-----\nYWdl\n-----END AGE ENCRYPTED FILE-----\n";
const vault: Vault = { recipient: `age1${"q".repeat(58)}`, sealed, recoverySealed: sealed, revision: 0 };

/** A new user, whose rights the page has not cached yet. */
let people = 0;
const somebody = (): Partial<UserProfile> => ({ id: `person-${people++}` });

/**
 * Opens a page whose guard makes a request.
 * @returns the held answer, and `decided` for the guard's decision
 */
async function open(path: string, call: string, options: OpenOptions): Promise<HeldAnswer & { decided: Promise<void> }> {
  const held = holdAnswer();
  answer({ [call]: held.answer });
  const decided = openPage(path, options);
  await expect.poll(held.calls).toBeGreaterThan(0);
  return { ...held, decided };
}

// SPEC 2 Route guard: "a missing or expired token stores the wanted path as a redirect target"
// SPEC 2 Routes that need sign-in: "/settings, /subscription, /feedback, /dashboard"
// SPEC 9: "Remembered redirect key"
test("sends a visitor from each protected page to the sign-in page, and remembers the page", async () => {
  const { signedIn, superuser, subscribed } = specifiedRoutes;
  for (const path of paths([...signedIn, ...superuser, ...subscribed])) {
    await openPage(`${path}?x=1`, { as: "visitor" });
    expect(location.pathname, path).toBe("/signin");
    expect(localStorage.getItem("redirectTo")).toBe(`${path}?x=1`);
  }
});

// SPEC 2 Unknown paths: "An unknown path redirects to /dashboard when signed in"
test("leads from an unknown address to the landing page, or to the dashboard when signed in", async () => {
  await openPage("/no-such-page", { as: "visitor" });
  expect(location.pathname).toBe("/");
  await openPage("/no-such-page");
  await isAt("/dashboard");
});

// SPEC 2 Public routes: "Both redirect to /dashboard if the user is already authenticated."
test.each(signInRoutes)("redirects a signed-in user from %s to the dashboard", async (path) => {
  await openPage(path);
  await isAt("/dashboard");
});

// SPEC 5: "Admin pages need isSuperUser."
// SPEC 8: "'Access Denied: Administrator privileges required.'"
test.each(paths(specifiedRoutes.superuser))("denies %s to a user who is no superuser", async (path) => {
  await openPage(path);
  await isAt("/dashboard");
  await toast("Access Denied: Administrator privileges required.");
});

test("opens the admin pages after the server has confirmed the superuser's rights", async () => {
  const profile = somebody();
  // The profile in this browser is outdated.
  const { give, decided } = await open("/admin/models", profileCall, { profile });
  await seen("Verifying permissions...");
  answer({ "GET /admin/models": { engines: [], models: [] } });
  give({ ...ada, ...profile, isSuperUser: true });
  await decided;
  expect(location.pathname).toBe("/admin/models");
});

test("turns away a former superuser, and a superuser whose rights can't be checked", async () => {
  const profile = somebody();
  const first = await open("/admin", profileCall, { as: "superuser", profile });
  first.give({ ...ada, ...profile });
  await first.decided;
  await isAt("/dashboard");
  await toast("Access Denied: Administrator privileges required.");
  const second = await open("/admin", profileCall, { as: "superuser", profile: somebody() });
  second.give(failed);
  await second.decided;
  await isAt("/dashboard");
  await toast("Failed to load user profile. Please try again.");
});

test("sends a superuser without the required second factor to the settings", async () => {
  await openPage("/admin", { as: "superuser", profile: { ...somebody(), lacksSecondFactor: true } });
  await isAt("/settings/security");
  expect(location.hash).toBe("#second-factor");
  await toast("Administrators of this server need two-step sign-in. Set it up in the settings first.");
});

// SPEC 5: "The other gated pages need status active or trialing."
test.each(["active", "trialing"])(
  "opens a paid page with a subscription that is %s, without a request for the vault",
  async (status) => {
    const { give, decided } = await open(paidPage, subscriptionCall, { as: "premium", profile: somebody() });
    await seen("Checking subscription status...");
    give({ id: "1", status, plan: "premium", interval: "month", currentPeriodEnd: null, cancelAtPeriodEnd: false });
    await decided;
    expect(location.pathname).toBe(paidPage);
    await heading("Encrypted audio");
  },
);

// SPEC 5: "The other gated pages need status active or trialing."
test.each(["canceled", "past_due", "incomplete"])("closes a paid page to a subscription that is %s", async (status) => {
  answer({
    [subscriptionCall]: { id: "1", status, plan: "premium", interval: "month", currentPeriodEnd: null, cancelAtPeriodEnd: false },
  });
  await openPage(paidPage, { profile: somebody() });
  expect(location.pathname).toBe("/subscription");
  await toast("This feature requires an active subscription");
});

// SPEC 5: "Otherwise a toast says 'This feature requires an active subscription'"
// SPEC 2 Routes that need sign-in and a subscription: "/voice-translator, /speech-to-text, /encrypted-audio"
// SPEC 2 Route guard: "Checking subscription status..."
// SPEC 8: "'This feature requires an active subscription'"
test.each(paths(specifiedRoutes.subscribed))("closes %s to a user without a subscription and without a vault", async (path) => {
  const { give, decided } = await open(path, vaultCall, { profile: somebody() });
  await seen("Checking subscription status...");
  give({ vault: null, items: [] });
  await decided;
  expect(location.pathname + location.search).toBe("/subscription");
  await toast("This feature requires an active subscription");
  await expect.element(page.getByText("Encrypted audio comes with Premium")).toBeVisible();
  await expect.element(page.getByRole("button", { name: /^Upgrade for/ })).toBeVisible();
});

test("opens the encrypted audio to a user with a vault but without a subscription", async () => {
  answer({ [vaultCall]: { vault, items: [] } });
  await openPage(paidPage, { profile: somebody() });
  expect(location.pathname).toBe(paidPage);
  await heading("Encrypted audio");
});

test.each([subscriptionCall, vaultCall])("closes a paid page while the server does not answer %s", async (call) => {
  const { give, decided } = await open(paidPage, call, { profile: somebody() });
  await seen("Checking subscription status...");
  give(failed);
  await decided;
  expect(location.pathname).toBe("/subscription");
  await toast("Failed to fetch subscription");
});

test("loads a profile that this browser has not stored before the page opens", async () => {
  const profile = somebody();
  const { give, decided, calls } = await open("/settings", profileCall, { profile, isRemembered: false });
  await seen("Loading user profile...");
  await expect.element(page.getByRole("heading", { name: "Account", level: 1 })).not.toBeInTheDocument();
  give({ ...ada, ...profile });
  answer({ [profileCall]: { ...ada, ...profile } });
  await decided;
  await heading("Account");
  expect(calls()).toBe(1);
});

// SPEC 8: "'Failed to load user profile. Please try again.' (then redirect to /dashboard)"
// SPEC 8: "'Failed to fetch user profile'"
test("leads to the dashboard when the profile can't be loaded, and retries on request", async () => {
  const profile = somebody();
  const { give, decided } = await open("/feedback", profileCall, { profile, isRemembered: false });
  give(failed);
  answer({ [profileCall]: failed });
  await decided;
  await isAt("/dashboard");
  await toast("Failed to load user profile. Please try again.");
  const notice = page.getByRole("alert").filter({ hasText: "Failed to fetch user profile" });
  await expect.element(notice).toBeVisible();
  answer({ [profileCall]: { ...ada, ...profile } });
  await notice.getByRole("button", { name: "Try again" }).click();
  await expect.element(notice).not.toBeInTheDocument();
});

test("opens the dashboard without a profile, and warns the user", async () => {
  answer({ [profileCall]: failed });
  await openPage("/dashboard", { profile: somebody(), isRemembered: false });
  expect(location.pathname).toBe("/dashboard");
  await toast("Failed to load user profile. Please try again.");
});

test.each(["retry", "leave", "wait"])("reports a slow server after ten seconds, and lets the user %s", async (choice) => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"], shouldAdvanceTime: true });
  try {
    const profile = somebody();
    const { give, decided, calls } = await open("/feedback", profileCall, { profile, isRemembered: false });
    await seen("Loading user profile...");
    const slow = page.getByText("The server is slow to answer. The page opens as soon as it does.");
    await vi.advanceTimersByTimeAsync(8_000);
    await expect.element(slow).not.toBeInTheDocument();
    await vi.advanceTimersByTimeAsync(2_000);
    await expect.element(slow).toBeVisible();
    if (choice === "leave") {
      await page.getByRole("button", { name: "Go to the start page" }).click();
      await isAt("/");
      return;
    }
    if (choice === "retry") {
      await page.getByRole("button", { name: "Try again" }).click();
      await expect.poll(calls).toBe(2);
      await expect.element(slow).not.toBeInTheDocument();
      await vi.advanceTimersByTimeAsync(10_000);
      await expect.element(slow).toBeVisible();
    }
    give({ ...ada, ...profile });
    await decided;
    await heading("Feedback");
  } finally {
    vi.useRealTimers();
  }
});

test("sends a user to the sign-in page when an expired token can't be renewed", async () => {
  const { give, decided } = await open("/settings?x=1", "POST /auth/refresh", { endsIn: -60 });
  await seen("Authenticating...");
  give(refusal(401, "unauthorized"));
  await decided;
  await isAt("/signin");
  await expect.poll(() => localStorage.getItem("redirectTo")).toBe("/settings?x=1");
  await renewOnce();
});

test("opens the page after an expired token is renewed", async () => {
  const { give, decided, calls } = await open("/feedback", "POST /auth/refresh", { endsIn: -60 });
  await seen("Authenticating...");
  const seconds = Math.floor(Date.now() / 1000);
  const token = makeToken({ sub: ada.id, iat: seconds, exp: seconds + 900 });
  give({ accessToken: token });
  await decided;
  await heading("Feedback");
  expect([calls(), localStorage.getItem("jwtToken")]).toEqual([1, token]);
});
