import type { Browser, Page } from "playwright";
import { afterAll, beforeAll, beforeEach, test } from "vitest";
import { expect, openPage, type Parlance, sharedBrowser, signUp, startParlance, type Visit } from "#tests/browser/harness.ts";
import { putTranscript } from "#tests/browser/harness-transcript.ts";
import { type AnalyticsServer, startAnalyticsServer } from "#tests/fixtures/analytics-server.ts";

// The page's own analytics, with a local tag and a local geolocation lookup.

let browser: Browser;
let tag: AnalyticsServer;
let server: Parlance;
beforeAll(async () => {
  [browser, tag] = await Promise.all([sharedBrowser(), startAnalyticsServer()]);
  server = await startParlance({ env: tag.env });
});
afterAll(async () => {
  await server?.stop();
  await tag?.[Symbol.asyncDispose]();
});
beforeEach(({ onTestFailed }) => {
  tag.reset();
  // Events and requests in their order explain a failure.
  onTestFailed(() => console.error(JSON.stringify({ events: tag.events, requests: tag.requests })));
});

const at = (path: string) => new URL(path, server.url).href;
const question = (page: Page) => page.getByRole("region", { name: "May we measure how you use this page?" });
const heading = (page: Page) => page.getByRole("heading", { level: 1 });
const fact = (page: Page, name: string, state: string) => page.locator(`[data-testid=fact-${name}][data-state=${state}]`);
const names = () => tag.events.map(({ name }) => name);
const collected = (name: string) => tag.events.filter((event) => event.name === name);
const viewed = () => collected("page_view").map(({ params }) => params.page_path);

/** Scrolls and waits until the page has handled the event. */
const scrolled = (page: Page, where: "top" | "middle" | "end") =>
  page.evaluate((share) => {
    scrollTo(0, share * (document.documentElement.scrollHeight - innerHeight));
    return new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())));
  }, { top: 0, middle: 0.5, end: 1 }[where]);

/** The commands in the data layer of the current page. */
const commands = (page: Page) => page.evaluate(() => (window.dataLayer ?? []).map((command) => JSON.stringify(command)));

/** Stores the consent of an earlier visit. */
async function agreed(visit: Visit): Promise<void> {
  const hosts = [tag.env.ANALYTICS_TAG_URL, tag.env.GEOLOCATION_URL].map((address) => new URL(address).host);
  await visit.page.addInitScript((choice) => localStorage.setItem("analyticsConsent", choice), `agreed ${hosts.join(" ")}`);
}

// SPEC 9: "scroll depth events at 50, 75 and 90 percent"
// SPEC 7 Third-party: "A geolocation lookup runs at session start."
// PROMISE analytics: Nothing is measured without consent; "do not track" is respected
test("sends nothing before consent, then a session, page views and scroll depths", async () => {
  await using visit = await openPage(browser);
  const { page } = visit;
  await page.goto(at("/terms"));
  await question(page).waitFor();
  await scrolled(page, "end");
  expect(tag.requests).toEqual([]);

  // The question is the page's first tab stop, and returns the focus to the page.
  for (const name of ["Learn more", "Refuse", "Agree"]) {
    await page.keyboard.press("Tab");
    await expect(page.locator(":focus")).toHaveText(name);
  }
  await page.keyboard.press("Enter");
  await question(page).waitFor({ state: "detached" });
  await expect(heading(page)).toBeFocused();
  await expect.poll(names).toEqual(expect.arrayContaining(["session_begin", "session_place", "page_view"]));
  expect(names()[0]).toBe("session_begin");
  expect(collected("session_place")[0]?.params).toMatchObject({ country: "DE", region: "Berlin", city: "Berlin" });
  expect(viewed()).toEqual(["/terms"]);

  await scrolled(page, "top");
  await scrolled(page, "end");
  const depths = () => collected("scroll_depth").map(({ params }) => params.percent_scrolled);
  await expect.poll(depths).toEqual([50, 75, 90]);
  await scrolled(page, "top");
  await page.getByRole("link", { name: "Privacy" }).first().click();
  await expect.poll(viewed).toEqual(["/terms", "/privacy"]);
  expect(depths()).toEqual([50, 75, 90]);
  expect(tag.requests.filter(({ line }) => line.startsWith("GET")).map(({ line }) => line.slice(0, 8))).toEqual(
    expect.arrayContaining(["GET /geo", "GET /tag"]),
  );
});

test("counts no scroll depth for the loading screen that replaces a page", async () => {
  await using visit = await openPage(browser);
  const { page } = visit;
  await agreed(visit);
  await page.goto(at("/terms"));
  await expect.poll(viewed).toEqual(["/terms"]);
  const loaded = Promise.withResolvers<void>();
  await page.route(/\/(assets|locales)\//, async (route) => {
    await loaded.promise;
    await route.continue();
  });
  const link = page.getByRole("link", { name: "Contact" }).first();
  // Clicks without scrolling: Playwright would scroll to the link.
  await scrolled(page, "middle");
  const depths = () => collected("scroll_depth").map(({ params }) => [params.page_path, params.percent_scrolled]);
  await expect.poll(depths).toEqual([["/terms", 50]]);
  await link.dispatchEvent("click");
  await page.getByText("Loading…").waitFor();
  await scrolled(page, "top");
  loaded.resolve();
  await expect.poll(viewed).toEqual(["/terms", "/contact"]);
  expect(depths()).toEqual([["/terms", 50]]);
});

// PROMISE analytics: Events name routes, not what somebody has or is
test("sends route patterns without personal data, and stops when consent is withdrawn in the settings", async () => {
  await using visit = await openPage(browser);
  const { page } = visit;
  await agreed(visit);
  const { email } = await signUp(page, server.url);
  const segments = [{ start: 0, end: 1, text: "a very secret sentence", words: [] }];
  const path = await putTranscript(server, page, { segments });
  await page.goto(at(`${path}?find=secret`));
  await heading(page).waitFor();
  await expect.poll(viewed).toContain("/transcription/$id");
  // A reload continues the session without a second lookup.
  await page.goto(at("/settings/data"));
  await expect.poll(viewed).toContain("/settings/data");
  expect(collected("session_begin")).toHaveLength(1);
  expect(tag.requests.filter(({ line }) => line.startsWith("GET /geo"))).toHaveLength(1);
  const all = JSON.stringify([tag.events, tag.requests]);
  const token = String(await page.evaluate(() => localStorage.getItem("jwtToken")));
  for (const secret of [email, path, path.split("/").at(-1) ?? "", token, "secret"]) expect(all).not.toContain(secret);
  expect(new Set(tag.requests.map(({ referer }) => referer))).toEqual(new Set([at("/")]));
  expect(tag.requests.every(({ cookie }) => cookie === "")).toBe(true);

  const card = page.getByRole("region", { name: "Usage measurement" });
  await card.getByRole("radio", { name: "No" }).check();
  await card.getByText("Nothing is measured.", { exact: false }).waitFor();
  const before = await commands(page);
  expect(before.at(-1)).toContain('"analytics_storage":"denied"');
  await page.getByRole("link", { name: "Feedback" }).click();
  await page.waitForURL("**/feedback");
  await heading(page).waitFor();
  expect(await page.evaluate(() => window.parlanceAnalytics?.event("late"))).toBeUndefined();
  expect(await page.evaluate(() => localStorage.getItem("analyticsSession"))).toBeNull();
  expect(await commands(page)).toEqual(before);
});

test("does not ask again after a refusal, and lets the user change it on the privacy page", async () => {
  await using visit = await openPage(browser);
  const { page } = visit;
  await page.goto(at("/about"));
  await question(page).getByRole("button", { name: "Refuse" }).click();
  await question(page).waitFor({ state: "detached" });
  await page.goto(at("/privacy#analytics"));
  const section = page.locator("#analytics");
  await section
    .getByText("The operator of this server measures how the page is used, but only if you agree.", { exact: false })
    .waitFor();
  await section.getByRole("radio", { name: "No", checked: true }).waitFor();
  await expect(question(page)).toHaveCount(0);
  expect(tag.requests).toEqual([]);
  await section.getByRole("radio", { name: "Yes" }).check();
  await expect.poll(names).toContain("page_view");
});

// PROMISE analytics: Nothing is measured without consent; "do not track" is respected
test('neither asks nor measures when the browser sends "do not track"', async () => {
  await using visit = await openPage(browser);
  const { page } = visit;
  await agreed(visit);
  await page.addInitScript(() => Object.defineProperty(navigator, "globalPrivacyControl", { value: true }));
  await page.goto(at("/privacy#analytics"));
  // The section's own text contains the same words.
  await page
    .locator("#analytics")
    .getByRole("status")
    .filter({ hasText: "Your browser asks not to be tracked (Global Privacy Control or Do Not Track)" })
    .waitFor();
  await expect(question(page)).toHaveCount(0);
  await expect(page.locator("#analytics").getByRole("radio")).toHaveCount(0);
  expect(tag.requests).toEqual([]);
});

// SPEC 2 Public routes: "/analytics-test"
test("reports a blocked tag and a failed lookup only on /analytics-test", async () => {
  await using visit = await openPage(browser, { expected: [/net::ERR_/] });
  const { page } = visit;
  tag.block(true);
  await agreed(visit);
  await page.goto(at("/analytics-test"));
  await fact(page, "tag", "failed").waitFor();
  await fact(page, "place", "unknown").waitFor();
  await page.locator("[data-event=page_view][data-delivered=nobody]").waitFor();
  await page.goto(at("/about"));
  await heading(page).waitFor();
  await expect(page.getByRole("alert")).toHaveCount(0);
});
