import type { Locator, Page } from "playwright";
import { describe, test } from "vitest";
import { enter, expect, openPage, sharedParlance } from "#tests/browser/harness.ts";

// The layout around the pages (SPEC.md section 2, "Navigation", and section 9's layout).

const shared = sharedParlance({ acrossFiles: true });

const { at } = shared;
const heading = (page: Page) => page.locator("h1");

describe("navigation", () => {
  test("moves the focus to the heading even when the previous page was still loading", async () => {
    await using visit = await openPage(shared.browser);
    const { page } = visit;
    await enter(page, shared.server);
    const arrive = Promise.withResolvers<void>();
    await page.route(/\/assets\/dashboard-[^/]*\.js/, async (route) => {
      await arrive.promise;
      await route.fallback();
    });
    await page.goto(at("/dashboard"));
    await page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Settings" }).focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("heading", { name: "Account", exact: true })).toBeFocused();
    arrive.resolve();
  });

  // SPEC 2 Navigation: "The error boundary shows the heading 'Something went wrong'"
  // SPEC 2 Navigation: "While pages load, a loading screen is shown."
  // SPEC 8: "Other: the error boundary text is given in section 2."
  test("shows a loading screen for a slow page, and the error boundary for a page that fails", async () => {
    await using visit = await openPage(shared.browser, { expected: [/a mistake/] });
    const { page } = visit;
    const arrive = Promise.withResolvers<void>();
    await page.route(/\/assets\/(inbox-page|terms)-[^/]*\.js/, async (route) => {
      await arrive.promise;
      await route.fulfill({ contentType: "text/javascript", body: 'throw new Error("a mistake");' });
    });
    await page.goto(at("/contact"));
    await page.getByRole("status").getByText("Loading…", { exact: true }).waitFor();
    arrive.resolve();
    await page.getByRole("heading", { name: "Something went wrong", exact: true }).waitFor();
    await page.getByText("The application encountered an error. Please try refreshing the page.", { exact: true }).waitFor();
    // A page that also arrives as HTML.
    await page.goto(at("/terms"));
    await page.getByRole("heading", { name: "Something went wrong", exact: true }).waitFor();
    await page.unroute(/\/assets\/(inbox-page|terms)-[^/]*\.js/);
    await page.getByRole("button", { name: "Refresh Page", exact: true }).click();
    await page.getByRole("heading", { name: "Terms" }).waitFor();
  });
});

test("leads from the sign-up to the dashboard without a visible layout shift", async () => {
  await using visit = await openPage(shared.browser);
  const { page } = visit;
  await page.addInitScript(() => {
    Object.assign(window, { moved: 0 });
    new PerformanceObserver((list) => {
      const shifts = list.getEntries().map((entry) => ("value" in entry ? Number(entry.value) : 0));
      Object.assign(window, { moved: shifts.reduce((sum, shift) => sum + shift, Number(Reflect.get(window, "moved"))) });
    }).observe({ type: "layout-shift", buffered: true });
  });
  await page.goto(at("/signup"));
  await page.getByLabel("E-mail").fill(`${crypto.randomUUID()}@example.com`);
  await page.getByLabel("Password", { exact: true }).fill("a long enough password");
  await page.getByRole("button", { name: "Create account" }).click();
  await page.getByRole("heading", { name: "Dashboard" }).waitFor();
  await page.getByRole("link", { name: "free minutes left" }).waitFor();
  expect(await page.evaluate(() => Reflect.get(window, "moved"))).toBeLessThan(0.02);
});

describe("a page load", () => {
  /** Holds back the answer that the guard waits for. */
  async function holdSubscription(page: Page) {
    const asked = Promise.withResolvers<void>();
    await page.route(/\/subscriptions\/(me|account\/subscription)$/, async (route) => {
      await asked.promise;
      await route.fallback();
    });
    return asked;
  }

  test("draws the sidebar at once, and keeps its elements while the guard waits and the page loads", {
    tags: "quick",
  }, async () => {
    await using visit = await openPage(shared.browser);
    const { page } = visit;
    await enter(page, shared.server);
    const asked = await holdSubscription(page);
    await page.goto(at("/encrypted-audio"));
    const sidebar = page.getByRole("navigation", { name: "Main" });
    const main = page.getByRole("main");
    const link = sidebar.getByRole("link", { name: "Settings" });
    await expect(link).toBeVisible();
    await expect(main.getByRole("status")).toHaveText("Checking subscription status...");
    const parts = [sidebar, link, main];
    const before = await Promise.all(parts.map((part) => part.elementHandle()));
    const places = await Promise.all(parts.map((part) => part.boundingBox()));
    await link.focus();
    asked.resolve();
    await page.waitForURL("**/subscription");
    await heading(page).first().waitFor();
    for (const [index, part] of parts.entries()) {
      expect(await part.evaluate((now, then) => now === then, before[index])).toBe(true);
    }
    const beside = (box: Awaited<ReturnType<Locator["boundingBox"]>>) => box && { x: box.x, y: box.y, width: box.width };
    await page.mouse.move(700, 400);
    await heading(page).first().focus();
    for (const [index, part] of parts.entries()) {
      await expect.poll(async () => beside(await part.boundingBox())).toEqual(beside(places[index] ?? null));
    }
  });

  test("accepts a click on a sidebar link while the guard still waits", async () => {
    await using visit = await openPage(shared.browser);
    const { page } = visit;
    await enter(page, shared.server);
    const asked = await holdSubscription(page);
    await page.goto(at("/encrypted-audio"));
    await expect(page.getByRole("main").getByRole("status")).toHaveText("Checking subscription status...");
    const link = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Feedback" });
    // The click starts before the answer and ends after it.
    await link.hover();
    await page.mouse.down();
    asked.resolve();
    await page.waitForURL("**/subscription");
    await heading(page).first().waitFor();
    await page.mouse.up();
    await page.waitForURL("**/feedback");

    const later = await holdSubscription(page);
    await page.goto(at("/encrypted-audio"));
    await expect(page.getByRole("main").getByRole("status")).toHaveText("Checking subscription status...");
    await link.click();
    await page.waitForURL("**/feedback");
    await expect(heading(page)).toHaveText("Feedback");
    later.resolve();
  });

  test("never shows a visitor the sidebar", async () => {
    await using visit = await openPage(shared.browser);
    const { page } = visit;
    await page.addInitScript(() => {
      new MutationObserver(() => {
        if (document.querySelector("#root nav a[href='/settings']")) document.documentElement.dataset.sidebar = "drawn";
      }).observe(document, { childList: true, subtree: true });
    });
    await page.goto(at("/dashboard"));
    await page.waitForURL("**/signin");
    await heading(page).first().waitFor();
    expect(await page.evaluate(() => document.documentElement.dataset.sidebar)).toBeUndefined();
    await enter(page, shared.server);
    await page.goto(at("/dashboard"));
    await heading(page).first().waitFor();
    await expect(page.locator("html")).toHaveAttribute("data-sidebar", "drawn");
  });
});
