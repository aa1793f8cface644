import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { interfaceLanguages } from "#contract/interface-languages.ts";
import { i18n } from "#src/i18n/index.ts";
import { ownRoutes, specifiedRoutes } from "#tests/browser/harness-routes.ts";
import { answer, type OpenOptions, openPage, page } from "#tests/components/harness.ts";
import { colourRules, violations } from "#tests/components/harness-axe.ts";
import { filled } from "./filled.ts";

// Each page with content: the focus is in its content, axe-core finds no violation in the light and dark theme, and the
// page fits a phone in every language.

const languages = interfaceLanguages.map(({ code }) => code);

beforeEach(() => {
  answer(filled);
});
afterEach(async () => {
  delete document.documentElement.dataset.theme;
  await i18n.changeLanguage("en");
  await page.viewport(1280, 800);
});

const isSettled = () => document.querySelector("h1") !== null && document.querySelector("main [aria-busy=true]") === null;

async function languagesInWhichItIsTooWide(): Promise<string[]> {
  await page.viewport(390, 844);
  const wide: string[] = [];
  for (const code of languages) {
    await i18n.changeLanguage(code);
    await vi.waitFor(() => expect(document.documentElement.lang).toBe(code));
    await new Promise((resolve) => requestAnimationFrame(resolve));
    if (document.documentElement.scrollWidth > document.documentElement.clientWidth) wide.push(code);
  }
  return wide;
}

async function check(path: string, options: OpenOptions): Promise<void> {
  await openPage(path, options);
  await expect.poll(isSettled).toBe(true);
  await expect.poll(() => document.activeElement?.closest("main") ?? null).not.toBeNull();
  const found = await violations();
  document.documentElement.dataset.theme = "dark";
  found.push(...(await violations(colourRules)).map((violation) => `dark: ${violation}`));
  document.documentElement.dataset.theme = "light";
  expect(found).toEqual([]);
  expect(await languagesInWhichItIsTooWide()).toEqual([]);
}

const link = `#${"0".repeat(16)}.${"x".repeat(43)}`;
const filledIn = (route: string) => (route === "/shared" ? `${route}${link}` : route.replace(/\{\w+\}/, "1"));

describe("every route", () => {
  // SPEC 1: "Visitors see a landing page with features and pricing, a blog and a waitlist."
  // SPEC 2 Route guard: "Public paths, and any path starting with /blog, skip the auth check."
  // SPEC 6: "Public pages, blog reading, sign-in, sign-up, password reset."
  test.each([...specifiedRoutes.everyone, ...ownRoutes.everyone])(
    "has no accessibility violation and fits a phone for visitors: %s",
    (route) => check(filledIn(route), { as: "visitor" }),
  );

  // SPEC 1: "Signed-in users get a dashboard, a voice translator, speech-to-text, feedback and settings."
  // SPEC 2 Routes that need sign-in and a subscription: "See section 5 for the free-tier exception."
  // SPEC 6: "Authenticated user"
  test.each([...specifiedRoutes.signedIn, ...ownRoutes.signedIn])(
    "has no accessibility violation and fits a phone for the free plan: %s",
    (route) => check(filledIn(route), {}),
  );

  test.each([...specifiedRoutes.subscribed, "/subscription", "/settings"])(
    "has no accessibility violation and fits a phone for subscribers: %s",
    (route) => check(filledIn(route), { as: "premium" }),
  );

  // Both addresses of the blog's administration show the same pages.
  // SPEC 1: "Administrators (superusers) get an admin panel and blog administration"
  test.each([...specifiedRoutes.superuser.filter((route) => !route.startsWith("/blog")), ...ownRoutes.superuser])(
    "has no accessibility violation and fits a phone for superusers: %s",
    (route) => check(filledIn(route), { as: "superuser" }),
  );
});
