import { afterEach, describe, expect, test } from "vitest";
import type { UserProfile } from "#contract/index.ts";
import { answer, openPage, page, refusal, subscription, usage, userEvent } from "#tests/components/harness.ts";
import { textsOf } from "#tests/components/harness-texts.ts";
import { filled } from "./filled.ts";

// The layout around the pages (SPEC.md section 2, "Navigation", and section 9's layout).

afterEach(() => page.viewport(1280, 800));

const bar = page.getByRole("banner");
const main = page.getByRole("navigation", { name: "Main" });
const entries = main.getByRole("list").getByRole("link");
const links = (within: typeof main) => textsOf(within.getByRole("link")).filter((text) => text !== "Parlance");
const menu = bar.getByLabelText("Menu");
const current = () => entries.elements().flatMap((link) => (link.ariaCurrent === "page" ? [link.textContent] : []));
const widthOf = (part: typeof main) => Math.round(part.element().getBoundingClientRect().width);

describe("the top bar", () => {
  // SPEC 2 Public routes: "Landing page with anchors #features and #pricing"
  // SPEC 2 Navigation: "A top bar shows the product name, the Features and Pricing anchors"
  test("shows anchors, the blog, sign-in links and seven languages from 780 px on", async () => {
    await openPage("/", { as: "visitor" });
    await page.viewport(780, 800);
    const wanted = ["Features", "Pricing", "Blog", "Sign in", "Create account"];
    await expect.poll(() => links(main)).toEqual(wanted);
    const languages = main.getByRole("combobox", { name: "Language" });
    expect(textsOf(languages.getByRole("option"))).toHaveLength(7);
    await expect.element(menu).not.toBeVisible();
    await main.getByRole("link", { name: "Pricing" }).click();
    expect(location.hash).toBe("#pricing");
    await expect.poll(() => document.querySelector("#pricing")?.getBoundingClientRect().top ?? 999).toBeLessThan(400);
    await languages.selectOptions("de");
    await expect.element(page.getByRole("heading", { name: "Jedes Wort bleibt." })).toBeVisible();
    await page.getByRole("combobox", { name: "Sprache" }).first().selectOptions("en");
    await expect.element(page.getByRole("heading", { name: "Every word, kept." })).toBeVisible();
  });

  test("folds the top bar into a menu below 780 px, and closes it when a link is followed", async () => {
    await openPage("/", { as: "visitor" });
    await page.viewport(779, 800);
    await expect.element(main).not.toBeInTheDocument();
    await menu.click();
    await expect.poll(() => links(main)).toEqual(["Features", "Pricing", "Blog", "Sign in", "Create account"]);
    await main.getByRole("link", { name: "Create account" }).click();
    await expect.poll(() => location.pathname).toBe("/signup");
    await expect.element(main).not.toBeInTheDocument();
    await menu.click();
    await expect.poll(() => links(main)).toEqual(["Blog", "Sign in", "Create account"]);
  });

  // SPEC 2 Navigation: "A Dashboard button shows for signed-in users on / and on /admin pages."
  test("shows a link to the dashboard to a signed-in user", async () => {
    await openPage("/");
    await expect.poll(() => links(main)).toEqual(["Features", "Pricing", "Blog", "Dashboard"]);
    await main.getByRole("link", { name: "Dashboard" }).click();
    await expect.poll(() => location.pathname).toBe("/dashboard");
  });
});

const pages = ["Dashboard", "Voice translator", "Speech to text", "Search", "Encrypted audio", "Feedback", "Settings"];

describe("the sidebar", () => {
  // SPEC 2 Navigation: "Between 780px and 1750px it collapses to 4.5rem and expands on hover."
  // SPEC 9: "780px and 1750px; sidebar 16rem or 4.5rem"
  test("expands the sidebar from 4.5rem to 16rem on hover and for the keyboard, until a link is followed", async () => {
    await openPage("/feedback");
    for (const [windowWidth, wide] of [
      [1750, 256],
      [1749, 72],
      [780, 72],
    ] as const) {
      await page.viewport(windowWidth, 800);
      await expect.poll(() => widthOf(main), { message: `at ${windowWidth} px` }).toBe(wide);
    }
    await main.hover();
    await expect.poll(() => widthOf(main)).toBe(256);
    await page.getByRole("heading", { level: 1 }).hover();
    await expect.poll(() => widthOf(main)).toBe(72);
    main.getByRole("link", { name: "Feedback" }).element().focus();
    await userEvent.keyboard("{Tab}");
    await expect.poll(() => widthOf(main)).toBe(256);
    await userEvent.keyboard("{Enter}");
    await expect.poll(() => location.pathname).toBe("/settings/account");
    await expect.poll(() => widthOf(main)).toBe(72);
    await main.getByRole("link", { name: "Feedback" }).click();
    await expect.poll(() => location.pathname).toBe("/feedback");
    await expect.poll(() => widthOf(main)).toBe(72);
    await main.getByRole("link", { name: "Settings" }).hover();
    await expect.poll(() => widthOf(main)).toBe(256);
  });

  test("opens the sidebar over the page without moving it, and folds it with Escape", async () => {
    await openPage("/feedback");
    const heading = page.getByRole("heading", { level: 1 });
    const headingAt = () => heading.element().getBoundingClientRect().x;
    const before = headingAt();
    await main.hover();
    await expect.poll(() => widthOf(main)).toBe(256);
    expect(headingAt()).toBe(before);
    await userEvent.keyboard("{Escape}");
    await expect.poll(() => widthOf(main)).toBe(72);
    await heading.hover();
    await main.hover();
    await expect.poll(() => widthOf(main)).toBe(256);
  });

  test("keeps a pinned sidebar open beside the page, and stores the choice", async () => {
    await openPage("/feedback");
    await main.getByRole("button", { name: "Keep sidebar open" }).click();
    const heading = page.getByRole("heading", { level: 1 });
    await heading.hover();
    expect(localStorage.getItem("sidebar")).toBe("pinned");
    await openPage("/settings");
    await expect.poll(() => widthOf(main)).toBe(256);
    expect(heading.element().getBoundingClientRect().x).toBeGreaterThan(256);
    await main.getByRole("button", { name: "Collapse sidebar" }).click();
    await expect.poll(() => widthOf(main)).toBe(72);
    expect(localStorage.getItem("sidebar")).toBeNull();
  });

  test("opens the sidebar for the keyboard but not for the pointer during a recording", async () => {
    await openPage("/feedback");
    const speaking = page.getByRole("main").element().firstElementChild;
    speaking?.setAttribute("data-under-way", "true");
    await main.hover();
    // Longer than the delay before the sidebar opens.
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(widthOf(main)).toBe(72);
    main.getByRole("link", { name: "Feedback" }).element().focus();
    await userEvent.keyboard("{Tab}");
    await expect.poll(() => widthOf(main)).toBe(256);
  });

  test("lets the user choose the language while the sidebar is narrow", async () => {
    await openPage("/feedback");
    const select = main.getByRole("combobox", { name: "Language" }).element();
    const { x, y, width, height } = select.getBoundingClientRect();
    expect(document.elementFromPoint(x + width / 2, y + height / 2)).toBe(select);
    expect([width >= 44, height >= 36]).toEqual([true, true]);
  });

  test("folds the sidebar into a menu below 780 px, and closes it when a link is followed", async () => {
    await openPage("/settings");
    await page.viewport(779, 800);
    await expect.element(main).not.toBeInTheDocument();
    await menu.click();
    await expect.poll(() => textsOf(entries)).toEqual(pages);
    await main.getByRole("link", { name: "Feedback" }).click();
    await expect.poll(() => location.pathname).toBe("/feedback");
    await expect.element(main).not.toBeInTheDocument();
  });

  // SPEC 2 Navigation: "A left sidebar shows for signed-in users on the dashboard"
  test("shows the pages with a lock on the vault for the free plan, and marks the current page", async () => {
    answer(filled);
    await openPage("/settings");
    await expect.poll(() => textsOf(entries)).toEqual(pages);
    const vault = main.getByRole("link", { name: "Encrypted audio with Premium", exact: true });
    await expect.element(vault).toBeVisible();
    for (const name of pages.filter((each) => each !== "Encrypted audio")) {
      await main.getByRole("link", { name, exact: true }).click();
      await expect.poll(current).toEqual([name]);
      await expect.element(main.getByRole("button", { name: "Log out" })).toBeVisible();
    }
  });

  test("shows the subscription to subscribers, without a lock and without minutes", async () => {
    await openPage("/settings", { as: "premium" });
    await expect.element(main.getByRole("link", { name: "Subscription" })).toBeVisible();
    await expect.element(main.getByRole("link", { name: "Encrypted audio", exact: true })).toBeVisible();
    expect(page.getByText("free minutes left").elements()).toEqual([]);
  });

  test("shows the administration to superusers, and keeps the blog's current address prefix", async () => {
    answer(filled);
    await openPage("/admin", { as: "superuser" });
    await expect.poll(() => textsOf(entries)).toEqual([...pages, "Admin Panel", "Blog Admin"]);
    const addresses = () =>
      entries
        .elements()
        .map((link) => link.getAttribute("href"))
        .slice(7);
    for (const [path, marked, blogAdmin] of [
      ["/admin", "Admin Panel", "/admin/blog"],
      ["/admin/models", "Admin Panel", "/admin/blog"],
      ["/admin/blog/analytics", "Blog Admin", "/admin/blog"],
      ["/blog/admin/analytics", "Blog Admin", "/blog/admin"],
    ] as const) {
      await openPage(path, { as: "superuser" });
      await expect.poll(current).toEqual([marked]);
      expect(addresses()).toEqual(["/admin", blogAdmin]);
    }
  });

  test("marks the parent entry for a page that has no entry", async () => {
    answer(filled);
    await openPage("/trash");
    await expect.poll(current).toEqual(["Dashboard"]);
  });

  test("groups the account's name, picture, language and log-out button", async () => {
    const profile: Partial<UserProfile> = { name: "Ada", avatar_url: "/users/ada/avatar" };
    await openPage("/feedback", { profile });
    const account = main.getByRole("group", { name: "Your account" });
    await expect.element(account.getByText("Ada", { exact: true })).toBeInTheDocument();
    const picture = account.element().querySelector("img");
    expect(picture?.getAttribute("src")).toMatch(/\/users\/ada\/avatar/);
    expect(picture?.alt).toBe("");
    await expect.element(account.getByRole("combobox", { name: "Language" })).toBeInTheDocument();
    await expect.element(account.getByRole("button", { name: "Log out" })).toBeInTheDocument();
  });
});

describe("the sidebar on the free plan", () => {
  const left = main.getByRole("link", { name: "free minutes left" });
  const ring = () => document.querySelector("nav circle[stroke-dasharray]")?.getAttribute("stroke-dasharray");

  test.each([
    [2.5, "7.5", 0.75, null],
    [7.9, "2.1", 0.21, null],
    [8, "2.0", 0.2, "true"],
    [12, "0.0", 0, "true"],
  ])("shows after %f of 10 minutes that %s are left", async (used, text, share, low) => {
    answer({ "GET /api/v1/usage": { ...usage, usedTranslationMinutes: used, limitMinutes: 10 } });
    await openPage("/settings");
    await expect.element(left).toHaveTextContent(`${text} free minutes left Upgrade`);
    const [drawn, whole] = (ring() ?? "").split(" ").map(Number);
    expect(drawn).toBeCloseTo(share);
    expect(whole).toBe(1);
    expect(left.element().getAttribute("data-low")).toBe(low);
  });

  test("updates the free minutes on the next page, and links them to the plans", async () => {
    const now = { ...usage, usedTranslationMinutes: 2.5, limitMinutes: 10 };
    answer({ "GET /api/v1/usage": () => now });
    await openPage("/settings");
    await expect.poll(() => textsOf(left)).toEqual(["7.5 free minutes left Upgrade"]);
    now.usedTranslationMinutes = 8.6;
    await main.getByRole("link", { name: "Feedback" }).click();
    await expect.poll(() => textsOf(left)).toEqual(["1.4 free minutes left Upgrade"]);
    await left.click();
    await expect.poll(() => location.pathname).toBe("/subscription");
    answer({ "GET /subscriptions/me": { subscription }, "GET /api/v1/usage": usage });
    await main.getByRole("link", { name: "Dashboard" }).click();
    await expect.element(left).not.toBeInTheDocument();
    await expect.element(main.getByRole("link", { name: "Encrypted audio", exact: true })).toBeVisible();
  });

  test("hides the free minutes while they are unknown", async () => {
    answer({ "GET /api/v1/usage": refusal(500, "internal") });
    await openPage("/settings");
    await expect.element(main.getByRole("button", { name: "Log out" })).toBeVisible();
    await expect.element(left).not.toBeInTheDocument();
  });
});

describe("navigation", () => {
  test("sets the translated title, focuses the heading, and restores the scroll position on Back", async () => {
    await openPage("/", { as: "visitor" });
    await document.fonts.ready;
    scrollTo(0, 500);
    await bar.getByRole("link", { name: "Sign in" }).click();
    await expect.element(page.getByRole("heading", { name: "Welcome back" })).toHaveFocus();
    expect(document.title).toBe("Sign in · Parlance");
    await page.getByRole("combobox", { name: "Language" }).selectOptions("de");
    await expect.poll(() => [document.title, document.documentElement.lang]).toEqual(["Anmelden · Parlance", "de"]);
    await page.getByRole("combobox", { name: "Sprache" }).selectOptions("en");
    history.back();
    await expect.poll(() => scrollY).toBe(500);
    await expect.poll(() => document.title).toBe("Parlance");
  });

  test("offers a link to skip to the content", async () => {
    await openPage("/about", { as: "visitor" });
    const skip = page.getByRole("link", { name: "Skip to content" });
    expect(skip.element().getAttribute("href")).toBe("#main");
    expect(document.querySelector("main")?.id).toBe("main");
  });

  test("changes the colors of nested elements at once with reduced motion", async () => {
    await openPage("/contact", { as: "visitor" });
    const colourOf = (selector: string) => getComputedStyle(document.querySelector(selector) ?? document.head).color;
    document.documentElement.dataset.theme = "dark";
    const before = colourOf("form input");
    document.documentElement.dataset.theme = "light";
    const after = colourOf("form input");
    delete document.documentElement.dataset.theme;
    expect(after).not.toBe(before);
    document.documentElement.dataset.theme = "light";
    expect(after).toBe(colourOf("body"));
    delete document.documentElement.dataset.theme;
  });
});
