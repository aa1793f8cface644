import { SignJWT } from "jose";
import type { Page } from "playwright-core";
import { describe, test } from "vitest";
import { enter, expect, openPage, sharedParlance } from "#tests/browser/harness.ts";

// How a session ends, as a person sees it (SPEC.md section 4, "Unauthorised answers" to "Session expiry").

const shared = sharedParlance({ acrossFiles: true });

const { at } = shared;
const pathOf = (page: Page) => new URL(page.url()).pathname;
const keys = (page: Page) => page.evaluate(() => Object.keys(localStorage));
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).filter({ visible: true });
const expired = "Your session has expired. Please sign in again.";

/** The calls of this kind that the page has made so far. */
function count(page: Page, path: string): () => number {
  let calls = 0;
  page.on("request", (request) => {
    if (request.method() === "POST" && new URL(request.url()).pathname === path) calls += 1;
  });
  return () => calls;
}

/** Stores a token that has run out, of somebody whose refresh cookie is not there. */
async function storeExpired(page: Page): Promise<void> {
  const end = Math.floor(Date.now() / 1000) - 60;
  const claims = { sub: "somebody", sid: "s", email: "a@example.org", iat: end - 900, exp: end };
  const token = await new SignJWT(claims).setProtectedHeader({ alg: "HS256" }).sign(new TextEncoder().encode("x".repeat(32)));
  await page.evaluate((value) => localStorage.setItem("jwtToken", value), token);
}

test("logging out calls the server, keeps nothing of the person, and says so; a server that fails is ignored", async () => {
  await using visit = await openPage(shared.browser, { expected: [/500/] });
  const { page } = visit;
  await enter(page, shared.server);
  await page.goto(at("/dashboard"));
  await page.evaluate(() => localStorage.setItem("persist:other", "{}"));
  await expect.poll(() => keys(page)).toEqual(expect.arrayContaining(["jwtToken", "persist:root"]));
  const state = await page.evaluate(() => JSON.parse(localStorage.getItem("persist:root") ?? ""));
  expect(Object.keys(state).sort()).toEqual(["user", "version"]);
  await page.route("**/auth/logout", (route) => route.fulfill({ status: 500, json: { message: "no" } }));
  const logouts = count(page, "/auth/logout");
  await button(page, "Log out").click();
  await page.waitForURL("**/signin");
  await page.getByRole("status").getByText("You are logged out.").waitFor();
  expect(logouts()).toBe(1);
  await expect.poll(() => keys(page)).toEqual(["i18nextLng"]);
});

test("logging out that can't take the token away says so", async () => {
  await using visit = await openPage(shared.browser);
  const { page } = visit;
  await enter(page, shared.server);
  await page.goto(at("/dashboard"));
  await page.evaluate(() => {
    Storage.prototype.removeItem = () => {
      throw new DOMException("denied", "SecurityError");
    };
  });
  await button(page, "Log out").click();
  await page.getByRole("alert").getByText("Logout failed", { exact: true }).waitFor();
});

test("a forced logout wipes, calls the server and leads to /signin", async () => {
  await using visit = await openPage(shared.browser);
  const { page } = visit;
  await enter(page, shared.server);
  await page.goto(at("/dashboard"));
  const logouts = count(page, "/auth/logout");
  await page.evaluate(() => dispatchEvent(new Event("auth:force-logout")));
  await page.waitForURL("**/signin");
  await expect.poll(logouts).toBe(1);
  expect((await keys(page)).filter((key) => key === "jwtToken" || key.startsWith("persist:"))).toEqual([]);
});

test("the next person in the same page begins without the subscription of the one before", async () => {
  await using visit = await openPage(shared.browser, { expected: [/404/] });
  const { page } = visit;
  /** Without loading the page anew: what is in its memory is still there. */
  const go = (path: string) =>
    page.evaluate((to) => {
      history.pushState({}, "", to);
      dispatchEvent(new PopStateEvent("popstate"));
    }, path);
  await enter(page, shared.server);
  await page.goto(at("/dashboard"));
  const details = { id: "1", status: "active", plan: "premium", interval: "month", currentPeriodEnd: null };
  const asking = "**/subscriptions/account/subscription";
  await page.route(asking, (route) => route.fulfill({ json: { ...details, cancelAtPeriodEnd: false } }));
  await go("/encrypted-audio");
  await page.getByRole("heading", { name: "Encrypted audio" }).waitFor();
  await page.unroute(asking);
  await button(page, "Log out").click();
  await page.waitForURL("**/signin");
  await page.getByRole("link", { name: "Create your account" }).click();
  // The address is there before the form is.
  await page.getByRole("heading", { name: "Create your account" }).waitFor();
  await page.getByLabel("E-mail").fill(`${crypto.randomUUID()}@example.org`);
  await page.getByLabel("Password").fill("correct horse");
  await page.locator("form button[type=submit]").click();
  await page.waitForURL("**/dashboard");
  await go("/encrypted-audio");
  await page.waitForURL("**/subscription");
});

describe("a token that disappears", () => {
  test("on an app page leads to /signin with a message; on a visitor's page nothing is said", async () => {
    await using visit = await openPage(shared.browser);
    const { page } = visit;
    await enter(page, shared.server);
    await page.goto(at("/dashboard"));
    const other = await page.context().newPage();
    await other.goto(at("/terms"));
    await other.getByRole("link", { name: "Dashboard" }).first().waitFor();
    const third = await page.context().newPage();
    await third.goto(at("/robots.txt"));
    await third.evaluate(() => localStorage.removeItem("jwtToken"));
    await page.waitForURL("**/signin");
    await page.getByRole("alert").getByText(expired).waitFor();
    await other.getByRole("link", { name: "Sign in" }).first().waitFor();
    expect(pathOf(other)).toBe("/terms");
    expect(await other.getByText(expired).count()).toBe(0);
  });
});

describe("a session that can't be renewed", () => {
  test("leads from an app page to /signin, and leaves nothing behind but the way back", async () => {
    await using visit = await openPage(shared.browser, { expected: [/401/] });
    const { page } = visit;
    await page.goto(at("/terms"));
    await page.evaluate(() => localStorage.setItem("persist:root", '{"version":1,"user":null}'));
    await storeExpired(page);
    const answer = Promise.withResolvers<void>();
    await page.route("**/auth/refresh", async (route) => {
      await answer.promise;
      await route.continue();
    });
    await page.goto(at("/settings?x=1"));
    await page.getByText("Authenticating...", { exact: true }).waitFor();
    answer.resolve();
    await page.waitForURL("**/signin");
    await expect.poll(async () => (await keys(page)).sort()).toEqual(["i18nextLng", "redirectTo"]);
    await expect.poll(() => page.evaluate(() => localStorage.getItem("redirectTo"))).toBe("/settings?x=1");
  });

  test.each(["/signin", "/signup"])("leads nowhere from %s", async (path) => {
    await using visit = await openPage(shared.browser, { expected: [/401/] });
    const { page } = visit;
    await page.goto(at("/terms"));
    await storeExpired(page);
    const refreshes = count(page, "/auth/refresh");
    await page.goto(at(path));
    await page.locator("form").waitFor();
    expect(refreshes()).toBe(1);
    expect(pathOf(page)).toBe(path);
    await expect.poll(() => keys(page)).toEqual(["i18nextLng"]);
    expect(await page.getByText(expired).count()).toBe(0);
  });
});

test("a page without a server says so when somebody signs in", async () => {
  await using visit = await openPage(shared.browser, { expected: [/ERR_/] });
  const { page } = visit;
  await page.goto(at("/signin"));
  await page.route("**/auth/login", (route) => route.abort());
  await page.getByLabel("E-mail").fill("ada@example.org");
  await page.getByLabel("Password").fill("correct horse");
  await button(page, "Sign in").click();
  const sentence = "Cannot connect to server. Please ensure the backend is running or check your network connection.";
  await page.getByText(sentence, { exact: true }).waitFor();
});

test("an account that has to be verified is announced, and nobody is signed in", async () => {
  await using visit = await openPage(shared.browser);
  const { page } = visit;
  await page.goto(at("/signup"));
  await page.route("**/auth/register", (route) =>
    route.fulfill({
      status: 201,
      json: { message: "Sent." },
      headers: { "Access-Control-Allow-Origin": shared.server.url, "Access-Control-Allow-Credentials": "true" },
    }),
  );
  await page.getByLabel("E-mail").fill("ada@example.org");
  await page.getByLabel("Password").fill("correct horse");
  await page.locator("form button[type=submit]").click();
  await page.getByText("Please check your email to verify your account.").waitFor();
  expect(pathOf(page)).toBe("/signup");
  await expect.poll(() => keys(page)).toEqual(["i18nextLng"]);
});
