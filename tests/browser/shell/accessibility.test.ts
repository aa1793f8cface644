import { readFile } from "node:fs/promises";
import type { Page, Request } from "playwright-core";
import { test } from "vitest";
import { Transcription } from "#contract/index.ts";
import { enter, enterAsSuperuser, expect, openPage, sharedParlance } from "#tests/browser/harness.ts";
import { violations } from "#tests/browser/harness-axe.ts";
import { fixture } from "#tests/browser/harness-files.ts";
import { ownRoutes, signInRoutes, specifiedRoutes } from "#tests/browser/harness-routes.ts";
import { timeLimit } from "#tests/fixtures/time-limit.ts";
import { asPerson, getTranscription, type Person, read, upload } from "#tests/server/harness.ts";
import { subscribe } from "#tests/server/subscription/subscribed.ts";
import { save } from "#tests/server/transcription/saved.ts";

// What axe-core finds on every route, in light and dark, signed out, signed in, subscribed and as a superuser: nothing.

const { everyone, signedIn, subscribed, superuser } = specifiedRoutes;
const publicRoutes = [...everyone, ...ownRoutes.everyone];
const withAccount = [...publicRoutes.filter((route) => !signInRoutes.includes(route)), ...signedIn, ...ownRoutes.signedIn];

const shared = sharedParlance();

/** Nobody has begun to sign in. */
const noSecondStep = /410.*\/auth\/second-factor\)$/;

/** Follows a link to the path within the page, and waits until the focus is in what it leads to. @returns the heading */
async function follow(page: Page, path: string): Promise<string> {
  await page.evaluate((to) => {
    if (document.activeElement instanceof HTMLElement) document.activeElement.blur();
    history.pushState({}, "", to);
  }, path);
  const arrived = page.waitForFunction((to) => {
    const heading = document.querySelector("h1");
    const isEntered = location.pathname === to && document.activeElement?.closest("main");
    return isEntered ? heading?.textContent : undefined;
  }, path);
  const heading = await arrived.catch(async (reason: unknown) => {
    const shown = await page.locator("h1").allTextContents();
    throw new Error(`${path} leads to ${page.url()}, where the heading is: ${shown}`, { cause: reason });
  });
  return String(await heading.jsonValue());
}

/** Notes what the page asks for. @returns a wait until all of it is answered and drawn, but for event streams */
function watchRequests(page: Page): () => Promise<void> {
  const open = new Set<Request>();
  page.on("request", (request) => {
    if (!request.url().endsWith("/events")) open.add(request);
  });
  page.on("requestfinished", (request) => open.delete(request));
  page.on("requestfailed", (request) => open.delete(request));
  const drawn = () =>
    page.evaluate(() => new Promise<void>((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve()))));
  return async () => {
    for (let quiet = 0; quiet < 2; quiet = open.size === 0 ? quiet + 1 : 0) await drawn();
  };
}

/**
 * A digest of all that stands in the page, but for what React names anew each time: such ids get numbers in the order in which they come.
 * Made in the page, since fetching it all from there takes longer.
 */
function markup(page: Page): Promise<string> {
  return page.evaluate(async () => {
    const ids = new Map<string, string>();
    const numbered = (id: string) => {
      const known = ids.get(id) ?? `id-${ids.size}`;
      ids.set(id, known);
      return known;
    };
    const html = document.documentElement.outerHTML.replace(/_r_[0-9a-z]+_/g, numbered);
    const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(html));
    return new Uint8Array(digest).join();
  });
}

/** What was found nothing in. Many pages are the same for everybody who is signed in: those are looked at once. */
const flawless = new Set<string>();

/** All rules in light, and in dark those about colours: the rest of the page is the same. @returns each violation, with where it is */
async function check(page: Page, path: string, answered: () => Promise<void>): Promise<string[]> {
  expect(await follow(page, path), path).not.toMatch(/^(Something went wrong)?$/);
  await answered();
  const seen = `${path} ${await markup(page)}`;
  if (flawless.has(seen)) return [];
  const found: string[] = [];
  for (const [colorScheme, only] of [["light"], ["dark", ["cat.color"]]] as const) {
    await page.emulateMedia({ colorScheme });
    // The colours follow when the page is drawn anew.
    await page.waitForFunction((scheme) => matchMedia(`(prefers-color-scheme: ${scheme})`).matches, colorScheme);
    await answered();
    await page.evaluate(() => Promise.allSettled(document.getAnimations().map((animation) => animation.finished)));
    for (const violation of await violations(page, { only })) found.push(`${path} in ${colorScheme}: ${violation}`);
  }
  if (found.length === 0) flawless.add(seen);
  return found;
}

/** Loads a page that no walk begins with: the focus of what is loaded stays where the browser puts it, only the next one is entered. */
async function arrive(page: Page): Promise<void> {
  await page.goto(shared.at("/no-such-page"));
  await page.waitForURL("**/dashboard");
  await page.locator("main h1").first().waitFor();
}

/** Every route, one after the other, in one page: only the first is loaded. */
async function checkAll(page: Page, routes: readonly string[], id = "1"): Promise<void> {
  await page.emulateMedia({ reducedMotion: "reduce" });
  const answered = watchRequests(page);
  const found: string[] = [];
  for (const route of routes) found.push(...(await check(page, route.replace(/\{\w+\}/, id), answered)));
  expect(found).toEqual([]);
}

/** Whoever is signed in in the page, for calls of the API. */
async function whoeverIsIn(page: Page): Promise<Person> {
  return asPerson(shared.server, String(await page.evaluate(() => localStorage.getItem("jwtToken"))));
}

/** A transcript with a recording. @returns its id */
async function transcribe(person: Person): Promise<string> {
  const answer = await upload(person, new Uint8Array(await readFile(fixture("market.opus"))), { name: "market.opus" });
  const { id } = await read(answer, 202, Transcription);
  await expect.poll(async () => (await getTranscription(person, id)).status, { timeout: timeLimit(90_000) }).toBe("completed");
  return id;
}

/** One with a translation, and without a recording. @returns its id */
async function dictate(person: Person): Promise<string> {
  const said = { start: 0, end: 2.5, text: "the harbor", translatedText: "el puerto", words: [] };
  const spoken = { title: "harbor", text: said.text, translatedText: said.translatedText, targetLanguage: "es" };
  return (await save(person, { ...spoken, segments: [said] })).id;
}

test("what a visitor sees", async () => {
  // There is no such post.
  await using visit = await openPage(shared.browser, { expected: [/404.*\/blog\/1\)$/, noSecondStep] });
  await visit.page.goto(shared.at("/about"));
  await visit.page.getByRole("heading", { level: 1 }).waitFor();
  await checkAll(visit.page, publicRoutes);
});

test("what somebody sees who is signed in", async () => {
  await using visit = await openPage(shared.browser, { expected: [/404/, noSecondStep] });
  await enter(visit.page, shared.server);
  await arrive(visit.page);
  await checkAll(visit.page, withAccount, await transcribe(await whoeverIsIn(visit.page)));
});

test("what somebody sees who has subscribed", async () => {
  await using visit = await openPage(shared.browser, { expected: [/404/, noSecondStep] });
  await enter(visit.page, shared.server);
  const person = await whoeverIsIn(visit.page);
  await subscribe(shared.server.dataDir, person);
  await arrive(visit.page);
  await checkAll(visit.page, [...withAccount, ...subscribed], await dictate(person));
});

test("what a superuser sees", async () => {
  await using visit = await openPage(shared.browser, { expected: [/404/, noSecondStep] });
  const { page } = visit;
  await enterAsSuperuser(page, shared.server);
  await arrive(page);
  // Being one is no subscription.
  await checkAll(page, [...withAccount, ...superuser, ...ownRoutes.superuser]);
});
