import type { Browser, CDPSession, Page } from "playwright";
import { beforeAll } from "vitest";
import { openSignedIn, type PathOfPage, type Person } from "./harness-account.ts";
import { openPage, type Visit } from "./harness-browser.ts";
import type { Parlance } from "./harness-server.ts";

/** What a page that goes on to the next test would keep. */
const lasting = "This page is another test's as well, and would keep it. Open one for this test alone: openPage.";
const viewport = { width: 1200, height: 800 };

/** The page of a test, of somebody who has just signed up. */
export interface StartedPage {
  page: Page;
  visit: Visit;
  person: Person;
}

/**
 * One page for the tests of a file, each of which begins with an account of its own and nothing in the browser's storage: half a second of
 * work less than a profile of its own each time, as the browser keeps its process and what it has compiled. Clocks, initial scripts and
 * throttled lines, which would outlast the test, are for `openPage`.
 */
export function sharedPage(shared: { readonly browser: Browser; readonly server: Parlance }): {
  /** @param expected what this test's page may complain of */
  begin(path: PathOfPage, expected?: readonly RegExp[]): Promise<StartedPage>;
  /** The same for a test of a visitor, or of somebody whom the test itself signs in: the page stands at a file of the server's. */
  empty(expected?: readonly RegExp[]): Promise<Visit>;
} {
  let open: { visit: Visit; devtools: CDPSession } | undefined;
  beforeAll(async () => {
    const visit = await openPage(shared.browser, { context: { viewport } });
    const { page } = visit;
    open = { visit, devtools: await page.context().newCDPSession(page) };
    page.addInitScript = () => Promise.reject(new Error(lasting));
    page.routeWebSocket = () => Promise.reject(new Error(lasting));
    page.clock.install = () => Promise.reject(new Error(lasting));
  });
  const empty = async (expected: readonly RegExp[] = []) => {
    if (open === undefined) throw new Error("The tests have not begun, or are over.");
    const { visit, devtools } = open;
    await resetPage(visit.page, shared.server, devtools);
    visit.takeUnexpected();
    visit.expectOnly(expected);
    return visit;
  };
  return {
    begin: async (path, expected) => {
      const visit = await empty(expected);
      const person = await openSignedIn(visit.page, shared.server, path);
      return { page: visit.page, visit, person };
    },
    empty,
  };
}

/** Removes what a test has left: other tabs, listeners, routes, storage, cookies and history. */
async function resetPage(page: Page, server: Parlance, devtools: CDPSession): Promise<void> {
  const others = page
    .context()
    .pages()
    .filter((other) => other !== page);
  await Promise.all(others.map((other) => other.close()));
  for (const event of ["dialog", "request", "response"] as const) page.removeAllListeners(event);
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.setViewportSize(viewport);
  // Of the same origin, so that the process stays, and nothing runs there.
  await page.goto(new URL("/robots.txt", server.url).href);
  await page.context().clearCookies();
  await page.evaluate(() => sessionStorage.clear());
  await devtools.send("Storage.clearDataForOrigin", { origin: new URL(server.url).origin, storageTypes: "all" });
  await devtools.send("Page.resetNavigationHistory");
}
