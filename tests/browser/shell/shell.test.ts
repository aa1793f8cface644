import type { Locator, Page } from "playwright-core";
import { describe, test } from "vitest";
import { enter, expect, openPage, sharedParlance } from "#tests/browser/harness.ts";
import { spendMinutes, subscribe } from "#tests/browser/harness-usage.ts";

// What stands around the pages (SPEC.md section 2, "Navigation", and section 9's layout).

const shared = sharedParlance({ acrossFiles: true });

const { at } = shared;
const widen = (page: Page, width: number) => page.setViewportSize({ width, height: 800 });
const heading = (page: Page) => page.locator("h1");
const width = async (part: Locator) => (await part.boundingBox())?.width;
const links = (part: Locator) => part.getByRole("link");

describe("the top bar", () => {
  test("shows name, anchors, ways in and languages; below 780 px in a menu; a dashboard button for whoever is signed in", async () => {
    await using visit = await openPage(shared.browser);
    const { page } = visit;
    await page.goto(at("/"));
    const bar = page.getByRole("banner");
    const entries = bar.getByRole("navigation");
    const menu = bar.locator("summary");
    const wanted = ["Features", "Pricing", "Blog", "Sign in", "Start trial"];
    await bar.getByRole("link", { name: "Parlance" }).waitFor();
    await widen(page, 780);
    await expect(links(entries)).toHaveText(wanted);
    await expect(entries.getByRole("combobox", { name: "Language" }).locator("option")).toHaveCount(7);
    await expect(menu).toBeHidden();
    for (const anchor of ["features", "pricing"] as const) {
      await entries.getByRole("link", { name: anchor }).click();
      await page.waitForURL(`**/#${anchor}`);
      await expect.poll(() => page.locator(`#${anchor}`).evaluate((part) => part.getBoundingClientRect().top)).toBeLessThan(400);
    }
    await widen(page, 779);
    await expect(entries).toHaveCount(0);
    await menu.click();
    await expect(links(entries)).toHaveText(wanted);
    await entries.getByRole("link", { name: "Start trial" }).click();
    await page.waitForURL("**/signup");
    await expect(entries).toHaveCount(0);
    await menu.click();
    await expect(links(entries)).toHaveText(["Blog", "Sign in", "Start trial"]);

    await enter(page, shared.server);
    await page.goto(at("/"));
    await widen(page, 1200);
    await expect(links(entries)).toHaveText(["Features", "Pricing", "Blog", "Dashboard"]);
    await entries.getByRole("link", { name: "Dashboard" }).click();
    await page.waitForURL("**/dashboard");
  });
});

describe("the sidebar", () => {
  test("is 16rem or 4.5rem wide, widens under the pointer and for the keyboard, and is a menu below 780 px", async () => {
    await using visit = await openPage(shared.browser);
    const { page } = visit;
    await page.emulateMedia({ reducedMotion: "reduce" });
    await enter(page, shared.server);
    await page.goto(at("/dashboard"));
    const sidebar = page.getByRole("navigation", { name: "Main" });
    const wanted = ["Dashboard", "Voice translator", "Speech to text", "Search", "Encrypted audio", "Feedback", "Settings"];
    const entries = sidebar.getByRole("list").getByRole("link");
    for (const [window, wide] of [
      [1750, 256],
      [1749, 72],
      [780, 72],
    ] as const) {
      await widen(page, window);
      await expect.poll(() => width(sidebar), { message: `at ${window} px` }).toBe(wide);
    }
    await sidebar.hover();
    await expect.poll(() => width(sidebar)).toBe(256);
    // What is being read makes room.
    expect((await page.getByRole("main").boundingBox())?.x).toBe(256);
    await page.mouse.move(700, 400);
    await expect.poll(() => width(sidebar)).toBe(72);
    await sidebar.getByRole("link", { name: "Feedback" }).focus();
    await page.keyboard.press("Tab");
    await expect.poll(() => width(sidebar)).toBe(256);
    await page.keyboard.press("Enter");
    await page.waitForURL("**/settings");
    await expect.poll(() => width(sidebar)).toBe(72);

    // A press on the one with a lock is a test of its own.
    for (const name of wanted.filter((name) => name !== "Encrypted audio")) {
      await sidebar.getByRole("link", { name, exact: true }).click();
      await heading(page).first().waitFor();
      await expect(entries).toHaveText(wanted);
      await sidebar.getByRole("button", { name: "Log out" }).waitFor();
    }
    await widen(page, 779);
    await expect(sidebar).toHaveCount(0);
    await page.getByRole("banner").locator("summary").click();
    await expect(entries).toHaveText(wanted);
    await sidebar.getByRole("button", { name: "Log out" }).click();
    await page.waitForURL("**/signin");
  });
});

/** Beside whichever page is open. */
const minutesLeft = (page: Page) =>
  page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "free minutes left" });

describe("on the free plan the sidebar", () => {
  test("says how many minutes are left, also after some were used elsewhere, and leads to the plans", async () => {
    await using visit = await openPage(shared.browser);
    const { page } = visit;
    const { email } = await enter(page, shared.server);
    spendMinutes(shared.server, email, 2.5);
    await page.goto(at("/settings"));
    await expect(minutesLeft(page)).toContainText("7.5");
    spendMinutes(shared.server, email, 8.6);
    const sidebar = page.getByRole("navigation", { name: "Main" });
    await sidebar.getByRole("link", { name: "Feedback" }).click();
    await expect(minutesLeft(page)).toContainText("1.4");
    await widen(page, 779);
    await page.getByRole("banner").locator("summary").click();
    await minutesLeft(page).click();
    await page.waitForURL("**/subscription");

    // Whoever pays has no limit.
    await widen(page, 1200);
    subscribe(shared.server, email);
    await sidebar.getByRole("link", { name: "Dashboard" }).click();
    await expect(minutesLeft(page)).toHaveCount(0);
    await expect(sidebar.getByRole("link", { name: "Encrypted audio", exact: true })).toBeVisible();
  });

  test("has Encrypted audio with a lock, which leads to the plans", async () => {
    await using visit = await openPage(shared.browser);
    const { page } = visit;
    await enter(page, shared.server);
    await page.goto(at("/dashboard"));
    const sidebar = page.getByRole("navigation", { name: "Main" });
    await sidebar.getByRole("link", { name: "Encrypted audio with Premium", exact: true }).click();
    await page.waitForURL("**/subscription");
    await page.getByText("This feature requires an active subscription").waitFor();
  });

  test("has every label again as soon as the pointer goes to another icon, after one was followed", async () => {
    await using visit = await openPage(shared.browser);
    const { page } = visit;
    await enter(page, shared.server);
    await page.goto(at("/dashboard"));
    const sidebar = page.getByRole("navigation", { name: "Main" });
    await sidebar.getByRole("link", { name: "Feedback" }).click();
    await page.waitForURL("**/feedback");
    await expect.poll(() => width(sidebar)).toBe(72);
    await sidebar.getByRole("link", { name: "Settings" }).hover();
    await expect.poll(() => width(sidebar)).toBe(256);
  });
});

describe("a navigation", () => {
  test("sets the title in the person's language, moves the focus to the heading, and keeps where one was", {
    tags: "quick",
  }, async () => {
    await using visit = await openPage(shared.browser);
    const { page } = visit;
    await page.goto(at("/"));
    expect(await heading(page).evaluate((it) => it === document.activeElement)).toBe(false);
    // The face that arrives late moves what is read (scroll anchoring).
    await page.evaluate(() => document.fonts.ready.then(() => scrollTo(0, 500)));
    await page.getByRole("banner").getByRole("link", { name: "Sign in" }).click();
    await page.getByRole("heading", { name: "Welcome back" }).and(page.locator(":focus")).waitFor();
    await expect(page).toHaveTitle("Sign in · Parlance");
    await page.getByRole("combobox", { name: "Language" }).selectOption("de");
    await page.waitForFunction(() => document.title === "Anmelden · Parlance");
    await expect(page.locator("html")).toHaveAttribute("lang", "de");
    await page.goBack();
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(500);
  });

  test("from a page that was still loading moves the focus to the heading, too", async () => {
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
    await expect(page.getByRole("heading", { name: "Settings", exact: true })).toBeFocused();
    arrive.resolve();
  });

  test("that takes its time shows a loading screen, and one that fails the error boundary", async () => {
    await using visit = await openPage(shared.browser, { expected: [/a mistake/] });
    const { page } = visit;
    const arrive = Promise.withResolvers<void>();
    await page.route(/\/assets\/in(box|fo)-page[^/]*\.js/, async (route) => {
      await arrive.promise;
      await route.fulfill({ contentType: "text/javascript", body: 'throw new Error("a mistake");' });
    });
    await page.goto(at("/contact"));
    await page.getByRole("status").getByText("Loading…", { exact: true }).waitFor();
    arrive.resolve();
    await page.getByRole("heading", { name: "Something went wrong", exact: true }).waitFor();
    await page.getByText("The application encountered an error. Please try refreshing the page.", { exact: true }).waitFor();
    // One that has come as HTML as well.
    await page.goto(at("/terms"));
    await page.getByRole("heading", { name: "Something went wrong", exact: true }).waitFor();
    await page.unroute(/\/assets\/in(box|fo)-page[^/]*\.js/);
    await page.getByRole("button", { name: "Refresh Page", exact: true }).click();
    await page.getByRole("heading", { name: "Terms" }).waitFor();
  });
});

describe("a reload", () => {
  /** Holds the answer that a guard waits for. */
  async function holdSubscription(page: Page) {
    const asked = Promise.withResolvers<void>();
    await page.route(/\/subscriptions\/(me|account\/subscription)$/, async (route) => {
      await asked.promise;
      await route.fallback();
    });
    return asked;
  }

  test("draws the sidebar at once, whose elements stay while the guard asks and the page comes", { tags: "quick" }, async () => {
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

  test("takes a press on a link of the sidebar while the guard still asks", async () => {
    await using visit = await openPage(shared.browser);
    const { page } = visit;
    await enter(page, shared.server);
    const asked = await holdSubscription(page);
    await page.goto(at("/encrypted-audio"));
    await expect(page.getByRole("main").getByRole("status")).toHaveText("Checking subscription status...");
    const link = page.getByRole("navigation", { name: "Main" }).getByRole("link", { name: "Feedback" });
    // Pressed before the answer, let go of after it.
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

  test("shows a visitor no sidebar, at no time", async () => {
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

test("with reduced motion a change between light and dark is there at once, however deep an element is", async () => {
  await using visit = await openPage(shared.browser);
  const { page } = visit;
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto(at("/signin"));
  await page.getByLabel("E-mail").waitFor();
  // As the settings do it; looked at before the next frame.
  const colours = await page.evaluate(() => {
    const colourOf = (selector: string) => getComputedStyle(document.querySelector(selector) ?? document.head).color;
    document.documentElement.dataset.theme = "dark";
    const before = colourOf("form input");
    document.documentElement.dataset.theme = "light";
    const after = colourOf("form input");
    return [before, after, colourOf("body")];
  });
  const [before, after, body] = colours;
  expect(after).toBe(body);
  expect(after).not.toBe(before);
});
