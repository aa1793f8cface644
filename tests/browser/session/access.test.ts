import type { Page } from "playwright-core";
import { describe, test } from "vitest";
import { enter, enterAsSuperuser, expect, openPage, sharedParlance } from "#tests/browser/harness.ts";
import { signInRoutes, specifiedRoutes } from "#tests/browser/harness-routes.ts";

const shared = sharedParlance({ acrossFiles: true });

const { at } = shared;
/** Opens a path as if it had been typed, and waits until the page has decided where it leads. */
async function visit(page: Page, path: string): Promise<string> {
  await page.goto(at(path));
  await page.locator("h1").first().waitFor();
  return new URL(page.url()).pathname;
}

/**
 * Goes to a path within the page, and waits until the page has decided where it leads: loading a page takes four times as long. Every
 * route's address is typed for whoever may see it in grown/browser/shell/other-server.test.ts, and here for whoever may not.
 */
async function follow(page: Page, path: string): Promise<string> {
  await page.evaluate((to) => {
    // What is arrived at is focused.
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    history.pushState({}, "", to);
  }, path);
  await page.waitForFunction(() => document.activeElement?.closest("main") && document.querySelector("h1"));
  return new URL(page.url()).pathname;
}

const paths = (routes: readonly string[]) => routes.map((route) => route.replace(/\{\w+\}/, "1"));
/** The sign-in pages have tests of their own. */
const publicPaths = paths(specifiedRoutes.everyone.filter((route) => !signInRoutes.includes(route)));
const signedInPaths = paths(specifiedRoutes.signedIn);
const adminPaths = paths(specifiedRoutes.superuser);
const paidPaths = paths(specifiedRoutes.subscribed);
/** Two spellings of one screen. */
const spellings = [
  ["/reset-password", "/auth/reset-password"],
  ["/email-confirm-success", "/auth/confirm-email"],
] as const;

describe("a visitor", () => {
  test("sees the public pages, and is sent to sign in for every other, of which nothing is loaded", async () => {
    // There is no such post.
    await using opened = await openPage(shared.browser, { expected: [/404.*\/blog\/1\)$/] });
    const { page } = opened;
    const screens = new Map<string, string | null>();
    await visit(page, "/signin");
    for (const path of publicPaths) {
      expect(await follow(page, path), path).toBe(path);
      screens.set(path, await page.locator("main").textContent());
    }
    for (const [one, other] of spellings) expect(screens.get(one)).toBe(screens.get(other));
    const loaded: string[] = [];
    page.on("request", (request) => loaded.push(request.url()));
    for (const path of [...signedInPaths, ...adminPaths, ...paidPaths]) expect(await visit(page, path), path).toBe("/signin");
    expect(loaded.filter((url) => /\/(dashboard|speech|uploads|settings|admin|recorder)[^/]*\.js/.test(url))).toEqual([]);
    await expect.poll(() => page.evaluate(() => localStorage.getItem("redirectTo"))).toBe("/encrypted-audio/1");
    expect(await visit(page, "/no-such-page")).toBe("/");
  });
});

describe("somebody who is signed in", () => {
  test("sees what the free tier may, and reads why not the rest", async () => {
    // A 404 means "no subscription" (SPEC.md section 4).
    await using opened = await openPage(shared.browser, { expected: [/404/] });
    const { page } = opened;
    await enter(page, shared.server);
    await visit(page, "/terms");
    for (const path of signedInPaths) expect(await follow(page, path), path).toBe(path);
    for (const path of adminPaths) {
      expect(await visit(page, path), path).toBe("/dashboard");
      await page.getByText("Access Denied: Administrator privileges required.").waitFor();
    }
    for (const path of paidPaths) {
      expect(await visit(page, path), path).toBe("/subscription");
      await page.getByText("This feature requires an active subscription").waitFor();
    }
    for (const path of signInRoutes) expect(await visit(page, path), path).toBe("/dashboard");
    expect(await visit(page, "/no-such-page")).toBe("/dashboard");
  });

  test("who has subscribed gets in where a subscription is needed", async () => {
    await using opened = await openPage(shared.browser, { expected: [/transcription\/1/] });
    const { page } = opened;
    await enter(page, shared.server);
    const details = { id: "1", plan: "premium", interval: "month", currentPeriodEnd: null, cancelAtPeriodEnd: false };
    for (const status of ["active", "trialing"]) {
      await page.route("**/subscriptions/account/subscription", (route) => route.fulfill({ json: { ...details, status } }));
      for (const path of paidPaths) expect(await visit(page, path), `${path} with ${status}`).toBe(path);
    }
  });

  test("without a profile reads so, and is led to the dashboard", async () => {
    await using opened = await openPage(shared.browser, { expected: [/500/] });
    const { page } = opened;
    await enter(page, shared.server);
    await page.evaluate(() => localStorage.removeItem("persist:root"));
    const ask = Promise.withResolvers<void>();
    await page.route("**/users/me", async (route) => {
      await ask.promise;
      await route.fulfill({ status: 500, json: { message: "no" } });
    });
    await page.goto(at("/settings"));
    await page.getByText("Loading user profile...", { exact: true }).waitFor();
    ask.resolve();
    await page.waitForURL("**/dashboard");
    await page.getByText("Failed to load user profile. Please try again.").waitFor();
    await page.getByRole("heading", { name: "Dashboard" }).waitFor();
  });

  test("reads what is being checked while an answer takes its time, and gets one when there is none", async () => {
    await using opened = await openPage(shared.browser, { expected: [/500/] });
    const { page } = opened;
    await enter(page, shared.server);
    const asked = Promise.withResolvers<void>();
    await page.route("**/subscriptions/account/subscription", async (route) => {
      await asked.promise;
      await route.fulfill({ status: 500, json: { message: "no" } });
    });
    await page.goto(at("/encrypted-audio"));
    await page.getByText("Checking subscription status...").waitFor();
    asked.resolve();
    await page.waitForURL(/\/subscription$/);
    await page.getByText("Failed to fetch subscription").waitFor();
  });
});

describe("a superuser", () => {
  test("opens every admin page under both prefixes", async () => {
    await using opened = await openPage(shared.browser);
    const { page } = opened;
    await enterAsSuperuser(page, shared.server);
    await visit(page, "/terms");
    for (const path of adminPaths) {
      expect(await follow(page, path), path).toBe(path);
      await page.getByRole("main").getByRole("heading", { level: 1 }).waitFor();
      // SPEC.md section 2, "Navigation": "A Dashboard button shows for signed-in users on / and on /admin pages".
      const current = path.includes("/blog") ? "Blog Admin" : "Admin Panel";
      await page.locator("[aria-current=page]").filter({ hasText: current, visible: true }).first().waitFor();
      if (path.startsWith("/admin")) await page.getByRole("main").getByRole("link", { name: "Dashboard", exact: true }).waitFor();
    }
    await visit(page, "/dashboard");
    await page.getByRole("link", { name: "Admin Panel" }).first().waitFor();
    await page.getByRole("link", { name: "Blog Admin" }).first().waitFor();
  });
});
