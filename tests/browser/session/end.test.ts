import type { Page } from "playwright-core";
import { describe, test } from "vitest";
import { enter, expect, openPage, sharedParlance } from "#tests/browser/harness.ts";
import { unsignedToken } from "#tests/browser/harness-paths.ts";

// What begins and ends a session from outside, on whichever page one is (SPEC.md section 4).

const shared = sharedParlance({ acrossFiles: true });
const item = (page: Page, key: string) => page.evaluate((name) => localStorage.getItem(name), key);
const keep = (page: Page, key: string, value: string) =>
  page.evaluate(([name, what]) => localStorage.setItem(name ?? "", what ?? ""), [key, value]);

async function openVisitorsPage(page: Page, path: string): Promise<void> {
  await page.goto(shared.at(path));
  await page.getByRole("heading", { level: 1 }).first().waitFor();
}

/** A token of somebody, by the API itself. */
async function someToken(): Promise<string> {
  const answer = await fetch(`${shared.server.apiUrl}/auth/register`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ email: `${crypto.randomUUID()}@example.org`, password: "violet harbour lantern" }),
  });
  return String((await answer.json()).accessToken);
}

describe("a message AUTH_SUCCESS", () => {
  test.each(["/", "/terms", "/blog"])("on %s signs in when it comes from the API's origin, and from no other", async (path) => {
    await using visit = await openPage(shared.browser, { expected: [/404/] });
    const { page } = visit;
    await openVisitorsPage(page, path);
    const message = { type: "AUTH_SUCCESS", accessToken: await someToken() };
    await page.evaluate((what) => window.postMessage(what, "*"), message);
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve, 300)));
    expect(await item(page, "jwtToken")).toBeNull();
    const [popup] = await Promise.all([
      page.waitForEvent("popup"),
      page.evaluate((api) => void window.open(api), `${shared.server.apiUrl}/`),
    ]);
    await popup.waitForLoadState();
    const say = (what: unknown) => popup.evaluate((said) => window.opener.postMessage(said, "*"), what);
    await say({ ...message, accessToken: 7 });
    await say(message);
    await page.waitForURL((url) => url.pathname === "/dashboard");
    await expect.poll(() => item(page, "jwtToken")).toBe(message.accessToken);
  });
});

describe("the window event auth:force-logout", () => {
  const raise = (page: Page) => page.evaluate(() => void dispatchEvent(new Event("auth:force-logout")));

  test("purges what is persisted on a visitor's page, where nobody is signed in", async () => {
    await using visit = await openPage(shared.browser);
    const { page } = visit;
    await openVisitorsPage(page, "/terms");
    await keep(page, "persist:root", "{}");
    await keep(page, "persist:other", "{}");
    await raise(page);
    await expect.poll(async () => [await item(page, "persist:root"), await item(page, "persist:other")]).toEqual([null, null]);
    expect(new URL(page.url()).pathname).toBe("/terms");
  });

  test("ends the session on an app page", async () => {
    await using visit = await openPage(shared.browser);
    const { page } = visit;
    await enter(page, shared.server);
    await page.goto(shared.at("/dashboard"));
    await keep(page, "persist:other", "{}");
    await raise(page);
    await page.waitForURL((url) => url.pathname === "/signin");
    await expect.poll(() => item(page, "jwtToken")).toBeNull();
    await expect.poll(() => item(page, "persist:other")).toBeNull();
  });
});

test("an unknown path with a token that has ended leads to the landing page, and nowhere in between", async () => {
  await using visit = await openPage(shared.browser);
  const { page } = visit;
  await openVisitorsPage(page, "/terms");
  await keep(page, "jwtToken", unsignedToken({ sub: "somebody", exp: Date.now() / 1000 - 60 }));
  const seen: string[] = [];
  page.on("framenavigated", (frame) => seen.push(new URL(frame.url()).pathname));
  await page.goto(shared.at("/no-such-page"));
  await page.waitForURL((url) => url.pathname === "/");
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  expect(seen.filter((path) => path !== "/" && path !== "/no-such-page")).toEqual([]);
});

test("logging out says that it is under way for as long as it is, and becomes what came of it", async () => {
  await using visit = await openPage(shared.browser);
  const { page } = visit;
  await enter(page, shared.server);
  await page.goto(shared.at("/dashboard"));
  const asked = Promise.withResolvers<void>();
  await page.route("**/auth/logout", async (route) => {
    await asked.promise;
    await route.continue();
  });
  await page.getByRole("button", { name: "Log out" }).filter({ visible: true }).first().click();
  const messages = page.locator(".Toastify__toast");
  const busy = messages.filter({ hasText: "Logging out…" });
  await busy.waitFor();
  // Nobody closes it before, and it does not go by itself.
  expect(await busy.getByRole("button").count()).toBe(0);
  asked.resolve();
  await messages.filter({ hasText: "You are logged out." }).waitFor();
  // The one became the other.
  expect(await messages.count()).toBe(1);
  await messages.waitFor({ state: "detached" });
});

test("who logs out takes the subscription along: the next person on this browser sees nothing of it", async () => {
  await using visit = await openPage(shared.browser, { expected: [/404/] });
  const { page } = visit;
  await enter(page, shared.server);
  const premium = {
    id: "1",
    status: "active",
    plan: "premium",
    interval: "month",
    currentPeriodEnd: null,
    cancelAtPeriodEnd: false,
  };
  await page.route("**/subscriptions/account/subscription", (route) => route.fulfill({ json: premium }));
  await page.goto(shared.at("/encrypted-audio"));
  await page.getByRole("heading", { level: 1 }).first().waitFor();
  await page.unroute("**/subscriptions/account/subscription");
  await page.getByRole("button", { name: "Log out" }).filter({ visible: true }).first().click();
  await page.waitForURL((url) => url.pathname === "/signin");
  const email = `${crypto.randomUUID()}@example.org`;
  const password = "violet harbour lantern";
  await fetch(`${shared.server.apiUrl}/auth/register`, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify({ email, password }),
  });
  await page.getByLabel("E-mail").fill(email);
  await page.getByLabel("Password").fill(password);
  await page.getByRole("button", { name: "Sign in", exact: true }).click();
  await page.waitForURL((url) => url.pathname === "/dashboard");
  // In the same page, without a reload: its memory is what is looked at.
  await page.evaluate(() => {
    history.pushState({}, "", "/encrypted-audio");
    dispatchEvent(new PopStateEvent("popstate"));
  });
  await page.waitForURL((url) => url.pathname === "/subscription");
  await page.getByText("This feature requires an active subscription").waitFor();
});
