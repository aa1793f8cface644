import { expect, test, vi } from "vitest";
import { createStorage, storageKeys } from "#src/browser/storage.ts";
import { ada, answer, holdAnswer, lost, openPage, page, refusal, userEvent } from "#tests/components/harness.ts";
import { makeToken } from "#tests/fixtures/token.ts";
import { renewOnce } from "./renew.ts";

// How a session begins and ends, as a person sees it (SPEC.md section 4, "Unauthorised answers" to "Session expiry").

const storage = createStorage(window);
const toasts = () => [...document.querySelectorAll(".Toastify__toast")].map(({ textContent }) => textContent);
const isAt = (path: string) => expect.poll(() => location.pathname).toBe(path);
const button = (name: string) => page.getByRole("button", { name, exact: true }).first();
const expired = "Your session has expired. Please sign in again.";
const now = () => Math.floor(Date.now() / 1000);
const token = (seconds = 3600, sub = "ada") => makeToken({ sub, iat: now(), exp: now() + seconds });

const kept = () => Object.keys(localStorage).filter((key) => key === "jwtToken" || key.startsWith("persist:"));

test("signs in with the typed password, and leads to where the person wanted to go", async () => {
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
test("says while the server is told of the sign-out that it is under way, and then that it is done", async () => {
  const held = holdAnswer();
  answer({ "POST /auth/logout": held.answer });
  await openPage("/feedback");
  localStorage.setItem("persist:other", "{}");
  await button("Log out").click();
  await expect.poll(toasts).toEqual(["Logging out…"]);
  // Nobody closes it before.
  expect(document.querySelectorAll(".Toastify__toast button")).toHaveLength(0);
  expect(held.calls()).toBe(1);
  held.give(refusal(500, "internal"));
  await isAt("/signin");
  // The one became the other.
  await expect.poll(() => toasts().join()).toBe("You are logged out.");
  expect(kept()).toEqual([]);
  // The next person may be somebody else.
  expect(localStorage.getItem("redirectTo")).toBeNull();
});

test("says that the sign-out has failed where the token can't be taken away", async () => {
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

test("follows a forced logout from an app page to the sign-in page, tells the server, and keeps nothing", async () => {
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

test("purges what is persisted at a forced logout where nobody is signed in, and stays", async () => {
  await openPage("/terms", { as: "visitor" });
  localStorage.setItem("persist:root", "{}");
  localStorage.setItem("persist:other", "{}");
  dispatchEvent(new Event("auth:force-logout"));
  await expect.poll(kept).toEqual([]);
  expect(location.pathname).toBe("/terms");
});

test("leads from an app page to the sign-in page when the token disappears, and remembers no way", async () => {
  await openPage("/feedback");
  storage.remove(storageKeys.token);
  await isAt("/signin");
  await expect.element(page.getByRole("alert").getByText(expired, { exact: true })).toBeVisible();
  expect(localStorage.getItem("redirectTo")).toBeNull();
});

test("says nothing on a visitor's page when the token disappears", async () => {
  await openPage("/terms");
  await expect.element(page.getByRole("link", { name: "Dashboard" }).first()).toBeVisible();
  storage.remove(storageKeys.token);
  await expect.element(page.getByRole("link", { name: "Sign in" }).first()).toBeVisible();
  expect([location.pathname, toasts()]).toEqual(["/terms", []]);
});

test("renews a token that the server refuses, and asks again with the new one", async () => {
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
  await expect.element(page.getByLabelText("A transcript is ready")).toBeChecked();
  expect([refreshes, bearers.length, localStorage.getItem("jwtToken")]).toEqual([1, 2, renewed]);
  expect(toasts()).toEqual([]);
});

test("ends a session that can't be renewed, says so, and remembers the way", async () => {
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

test("reports a server that can't be asked for a new token, and leads to the sign-in page", async () => {
  answer({ "POST /auth/refresh": lost });
  // For ten seconds by the clock it asks again.
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

test("leads whoever has an expired token nowhere from the sign-in page", async () => {
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

test("shows the next person, who has signed in in another tab, their own page", async () => {
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

test("does not take somebody else's profile for the person's own", async () => {
  answer({ "GET /users/me": { ...ada, id: "eve", email: "eve@example.org" } });
  await openPage("/dashboard", { isRemembered: false });
  await expect.element(page.getByRole("alert").filter({ hasText: "Failed to fetch user profile" })).toBeVisible();
  expect(JSON.parse(localStorage.getItem("persist:root") ?? "").user).toBeNull();
});

test("says that a server can't be reached, or that the address waits to be confirmed", async () => {
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

test("takes the subscription of whoever signs out along", async () => {
  await openPage("/encrypted-audio", { as: "premium" });
  await expect.element(page.getByRole("heading", { name: "Encrypted audio", level: 1 })).toBeVisible();
  await button("Log out").click();
  await isAt("/signin");
  await openPage("/encrypted-audio", { profile: { id: "eve" } });
  await isAt("/subscription");
});
