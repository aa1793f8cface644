import type { Page } from "playwright";
import { test } from "vitest";
import { enter, enterAsSuperuser, expect, openPage, sharedParlance } from "#tests/browser/harness.ts";

// Typed addresses. tests/components/session/access.test.ts covers the access to each page and its messages.

const shared = sharedParlance({ acrossFiles: true });

/** Opens a typed path, and waits until the page has decided where it leads. */
async function visit(page: Page, path: string): Promise<string> {
  await page.goto(shared.at(path));
  await page.locator("h1").first().waitFor();
  return new URL(page.url()).pathname;
}

test("sends a visitor to the sign-in page without loading the wanted page's code", async () => {
  await using opened = await openPage(shared.browser);
  const { page } = opened;
  const loaded: string[] = [];
  page.on("request", (request) => loaded.push(request.url()));
  for (const path of ["/dashboard", "/admin", "/encrypted-audio/1"]) expect(await visit(page, path), path).toBe("/signin");
  expect(loaded.filter((url) => /\/(dashboard|speech|uploads|settings|admin|recorder)[^/]*\.js/.test(url))).toEqual([]);
  await expect.poll(() => page.evaluate(() => localStorage.getItem("redirectTo"))).toBe("/encrypted-audio/1");
  expect(await visit(page, "/no-such-page")).toBe("/");
});

test("turns away a user without rights and says why, but lets a superuser in", async () => {
  // A 404 means "no subscription" (SPEC.md section 4).
  await using opened = await openPage(shared.browser, { expected: [/404/] });
  const { page } = opened;
  await enter(page, shared.server);
  expect(await visit(page, "/admin")).toBe("/dashboard");
  await page.getByText("Access Denied: Administrator privileges required.").waitFor();
  expect(await visit(page, "/encrypted-audio")).toBe("/subscription");
  await page.getByText("This feature requires an active subscription").waitFor();
  expect(await visit(page, "/signin")).toBe("/dashboard");
  await using other = await openPage(shared.browser);
  await enterAsSuperuser(other.page, shared.server);
  expect(await visit(other.page, "/admin")).toBe("/admin");
  await other.page.getByRole("main").getByRole("link", { name: "Dashboard", exact: true }).waitFor();
});
