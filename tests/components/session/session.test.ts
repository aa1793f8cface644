import { expect, test, vi } from "vitest";
import { createStorage, storageKeys } from "#src/browser/storage.ts";
import { ada, answer, holdAnswer, lost, openPage, page, refusal, userEvent } from "#tests/components/harness.ts";
import { makeToken } from "#tests/fixtures/token.ts";
import { renewOnce } from "./renew.ts";

// Begin and end of a session as the user sees them (SPEC.md section 4, "Unauthorised answers" to "Session expiry").

const storage = createStorage(window);
const toasts = () => [...document.querySelectorAll(".Toastify__toast")].map(({ textContent }) => textContent);
const isAt = (path: string) => expect.poll(() => location.pathname).toBe(path);
const button = (name: string) => page.getByRole("button", { name, exact: true }).first();
const expired = "Your session has expired. Please sign in again.";
const now = () => Math.floor(Date.now() / 1000);
const token = (seconds = 3600, sub = "ada") => makeToken({ sub, iat: now(), exp: now() + seconds });

const kept = () => Object.keys(localStorage).filter((key) => key === "jwtToken" || key.startsWith("persist:"));

test("signs in with the password, and returns to the wanted page", async () => {
  const sent: unknown[] = [];
  answer({
    "POST /auth/login": async ({ request }) => {
      sent.push(await request.json());
      return { accessToken: token(), user: ada };
    },
  });
  await openPage("/feedback?x=1");
  storage.remove(storageKeys.token);
  await isAt("/signin");
  storage.write(storageKeys.redirectTo, "/feedback?x=1");
  await page.getByLabelText("E-mail").fill("ada@example.org");
  await page.getByLabelText("Password", { exact: true }).fill("correct horse");
  await userEvent.keyboard("{Enter}");
  await isAt("/feedback");
  expect([location.search, localStorage.getItem("redirectTo")]).toEqual(["?x=1", null]);
  expect(sent).toEqual([{ email: "ada@example.org", password: "correct horse" }]);
  expect(JSON.parse(localStorage.getItem("persist:root") ?? "").user.email).toBe("ada@example.org");
});

// SPEC 4 Logout: "A toast reports success or failure."
// SPEC 8: "Toasts for logout success, logout failure and session expired."
test("shows a toast while the user is signed out, and replaces it when this is done", async () => {
  const held = holdAnswer();
  answer({ "POST /auth/logout": held.answer });
  await openPage("/feedback");
  localStorage.setItem("persist:other", "{}");
  await button("Log out").click();
  await expect.poll(toasts).toEqual(["Logging out…"]);
  // This toast has no close button.
  expect(document.querySelectorAll(".Toastify__toast button")).toHaveLength(0);
  expect(held.calls()).toBe(1);
  held.give(refusal(500, "internal"));
  await isAt("/signin");
  // The same toast changes its text.
  await expect.poll(() => toasts().join()).toBe("You are logged out.");
  expect(kept()).toEqual([]);
  // The next user may be another person.
  expect(localStorage.getItem("redirectTo")).toBeNull();
});

test("says that the sign-out failed when the token can't be removed", async () => {
  await openPage("/feedback");
  const forbidden = vi.spyOn(Storage.prototype, "removeItem").mockImplementation(() => {
    throw new DOMException("denied", "SecurityError");
  });
  vi.spyOn(console, "warn").mockImplementation(() => {});
  await button("Log out").click();
  await expect.element(page.getByRole("alert").getByText("Logout failed", { exact: true })).toBeVisible();
  forbidden.mockRestore();
  vi.restoreAllMocks();
});

test("signs out on the event of a forced logout, informs the server, and clears all data", async () => {
  let logouts = 0;
  answer({
    "POST /auth/logout": () => {
      logouts += 1;
      return {};
    },
  });
  await openPage("/feedback");
  localStorage.setItem("persist:other", "{}");
  dispatchEvent(new Event("auth:force-logout"));
  await isAt("/signin");
  expect(kept()).toEqual([]);
  await expect.poll(() => logouts).toBe(1);
});

test("clears persisted data on a forced logout without a session, and stays on the page", async () => {
  await openPage("/terms", { as: "visitor" });
  localStorage.setItem("persist:root", "{}");
  localStorage.setItem("persist:other", "{}");
  dispatchEvent(new Event("auth:force-logout"));
  await expect.poll(kept).toEqual([]);
  expect(location.pathname).toBe("/terms");
});

test("leads to the sign-in page when the token disappears, and remembers no page", async () => {
  await openPage("/feedback");
  storage.remove(storageKeys.token);
  await isAt("/signin");
  await expect.element(page.getByRole("alert").getByText(expired, { exact: true })).toBeVisible();
  expect(localStorage.getItem("redirectTo")).toBeNull();
});

test("stays silent on a public page when the token disappears", async () => {
  await openPage("/terms");
  await expect.element(page.getByRole("link", { name: "Dashboard" }).first()).toBeVisible();
  storage.remove(storageKeys.token);
  await expect.element(page.getByRole("link", { name: "Sign in" }).first()).toBeVisible();
  expect([location.pathname, toasts()]).toEqual(["/terms", []]);
});

test("renews a token that the server refuses, and repeats the request", async () => {
  const bearers: (string | null)[] = [];
  const renewed = token(7200);
  let refreshes = 0;
  answer({
    "GET /users/me/notices": ({ request }) => {
      const bearer = request.headers.get("Authorization");
      bearers.push(bearer);
      return bearer === `Bearer ${renewed}` ? { completed: true, failed: false, mails: "sent" } : refusal(401, "unauthorized");
    },
    "POST /auth/refresh": () => {
      refreshes += 1;
      return { accessToken: renewed };
    },
  });
  await openPage("/settings/notifications");
  await expect.element(page.getByLabelText("When a transcript is ready")).toBeChecked();
  expect([refreshes, bearers.length, localStorage.getItem("jwtToken")]).toEqual([1, 2, renewed]);
  expect(toasts()).toEqual([]);
});

test("ends a session that can't be renewed, says so, and remembers the page", async () => {
  answer({
    "GET /users/me/notices": refusal(401, "unauthorized"),
    "POST /auth/refresh": refusal(401, "unauthorized"),
  });
  await openPage("/settings/notifications?x=1");
  await isAt("/signin");
  await expect.element(page.getByRole("alert").getByText(expired, { exact: true })).toBeVisible();
  expect(kept()).toEqual([]);
  await expect.poll(() => localStorage.getItem("redirectTo")).toBe("/settings/notifications?x=1");
  await renewOnce();
});

test("says that the check failed when the server is unreachable, and leads to the sign-in page", async () => {
  answer({ "POST /auth/refresh": lost });
  // The page retries for ten seconds.
  vi.useFakeTimers({ toFake: ["Date", "setTimeout", "clearTimeout"], shouldAdvanceTime: true });
  try {
    const opening = openPage("/feedback", { endsIn: -60 });
    for (let step = 0; step < 20 && location.pathname !== "/signin"; step++) {
      await vi.advanceTimersByTimeAsync(2_000);
      await new Promise(requestAnimationFrame);
    }
    await opening;
    await isAt("/signin");
    await expect.element(page.getByRole("alert").getByText("Authentication check failed", { exact: true })).toBeVisible();
  } finally {
    vi.useRealTimers();
  }
  await renewOnce();
});

test("stays silent on the sign-in page when a token has expired", async () => {
  let refreshes = 0;
  answer({
    "POST /auth/refresh": () => {
      refreshes += 1;
      return refusal(401, "unauthorized");
    },
  });
  await openPage("/signin", { as: "visitor" });
  storage.write(storageKeys.token, token(-60));
  await expect.poll(() => refreshes).toBe(1);
  await expect.poll(kept).toEqual([]);
  expect([location.pathname, toasts()]).toEqual(["/signin", []]);
  await renewOnce();
});

test("shows the data of another user who signed in in another tab", async () => {
  await openPage("/settings");
  await expect.element(page.getByText("Your address is ada@example.org.")).toBeVisible();
  const eve = { ...ada, id: "eve", name: "Eve", email: "eve@example.org" };
  answer({ "GET /users/me": eve });
  storage.write(storageKeys.persistRoot, JSON.stringify({ version: 1, user: eve }));
  storage.write(storageKeys.token, token(3600, "eve"));
  await expect.element(page.getByText("Your address is eve@example.org.")).toBeVisible();
  await expect.element(page.getByLabelText("Your name")).toHaveValue("Eve");
  await expect.element(page.getByText("Your address is ada@example.org.")).not.toBeInTheDocument();
});

test("rejects another user's profile", async () => {
  answer({ "GET /users/me": { ...ada, id: "eve", email: "eve@example.org" } });
  await openPage("/dashboard", { isRemembered: false });
  await expect.element(page.getByRole("alert").filter({ hasText: "Failed to fetch user profile" })).toBeVisible();
  expect(JSON.parse(localStorage.getItem("persist:root") ?? "").user).toBeNull();
});

test("says that the server can't be reached, and that the address must be confirmed", async () => {
  answer({ "POST /auth/login": lost, "POST /auth/register": { message: "Sent." } });
  await openPage("/signin", { as: "visitor" });
  await page.getByLabelText("E-mail").fill("ada@example.org");
  await page.getByLabelText("Password", { exact: true }).fill("correct horse");
  await userEvent.keyboard("{Enter}");
  const away = "Cannot connect to server. Please ensure the backend is running or check your network connection.";
  await expect.element(page.getByText(away, { exact: true })).toBeVisible();
  await openPage("/signup", { as: "visitor" });
  await page.getByLabelText("E-mail").fill("ada@example.org");
  await page.getByLabelText("Password", { exact: true }).fill("violet harbour");
  await userEvent.keyboard("{Enter}");
  await expect.element(page.getByText("Please check your email to verify your account.")).toBeVisible();
  expect([location.pathname, kept()]).toEqual(["/signup", []]);
});

test("forgets the subscription when its user signs out", async () => {
  await openPage("/encrypted-audio", { as: "premium" });
  await expect.element(page.getByRole("heading", { name: "Encrypted audio", level: 1 })).toBeVisible();
  await button("Log out").click();
  await isAt("/signin");
  await openPage("/encrypted-audio", { profile: { id: "eve" } });
  await isAt("/subscription");
});
