import { SignJWT } from "jose";
import type { Page } from "playwright";
import { test } from "vitest";
import { enter, expect, openPage, sharedParlance } from "#tests/browser/harness.ts";

// A session with the real cookie in several tabs. tests/components/session/session.test.ts covers the messages at its
// end.

const shared = sharedParlance({ acrossFiles: true });

const { at } = shared;
const keys = (page: Page) => page.evaluate(() => Object.keys(localStorage));
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).filter({ visible: true });
const expired = "Your session has expired. Please sign in again.";

/** Stores an expired token of a user without a refresh cookie. */
async function storeExpired(page: Page): Promise<void> {
  const end = Math.floor(Date.now() / 1000) - 60;
  const claims = { sub: "somebody", sid: "s", email: "a@example.org", iat: end - 900, exp: end };
  const token = await new SignJWT(claims).setProtectedHeader({ alg: "HS256" }).sign(new TextEncoder().encode("x".repeat(32)));
  await page.evaluate((value) => localStorage.setItem("jwtToken", value), token);
}

test("renews a session with its cookie, ends it in all tabs at the log-out, and clears the user's data", async () => {
  await using visit = await openPage(shared.browser, { expected: [/401/] });
  const { page } = visit;
  await enter(page, shared.server);
  await page.goto(at("/dashboard"));
  await expect.poll(() => keys(page)).toEqual(expect.arrayContaining(["jwtToken", "persist:root"]));
  const state = await page.evaluate(() => JSON.parse(localStorage.getItem("persist:root") ?? ""));
  expect(Object.keys(state).sort()).toEqual(["user", "version"]);
  // The cookie renews an expired token.
  await storeExpired(page);
  await page.reload();
  await page.getByRole("heading", { name: "Dashboard", level: 1 }).waitFor();
  const [other, visitors] = [await page.context().newPage(), await page.context().newPage()];
  await other.goto(at("/feedback"));
  await other.getByRole("heading", { level: 1 }).waitFor();
  await visitors.goto(at("/terms"));
  await visitors.getByRole("link", { name: "Dashboard" }).first().waitFor();
  await button(page, "Log out").click();
  await page.waitForURL("**/signin");
  await page.getByRole("status").getByText("You are logged out.").waitFor();
  await other.waitForURL("**/signin");
  await other.getByRole("alert").getByText(expired).waitFor();
  await visitors.getByRole("link", { name: "Sign in" }).first().waitFor();
  expect(new URL(visitors.url()).pathname).toBe("/terms");
  expect(await visitors.getByText(expired).count()).toBe(0);
  await expect.poll(() => keys(page)).toEqual(["i18nextLng"]);
  // The cookie is gone as well.
  const refreshed = await page.evaluate(
    async (api) => (await fetch(`${api}/auth/refresh`, { method: "POST", credentials: "include" })).status,
    shared.server.apiUrl,
  );
  expect(refreshed).toBe(401);
});

test("leads to /signin when a session can't be renewed, and keeps only the way back", async () => {
  await using visit = await openPage(shared.browser, { expected: [/401/] });
  const { page } = visit;
  await page.goto(at("/terms"));
  await page.evaluate(() => localStorage.setItem("persist:root", '{"version":1,"user":null}'));
  await storeExpired(page);
  await page.goto(at("/settings?x=1"));
  await page.waitForURL("**/signin");
  await expect.poll(async () => (await keys(page)).sort()).toEqual(["i18nextLng", "redirectTo"]);
  await expect.poll(() => page.evaluate(() => localStorage.getItem("redirectTo"))).toBe("/settings?x=1");
});
