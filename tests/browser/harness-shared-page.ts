import type { Browser, CDPSession, Page } from "playwright";
import { beforeAll } from "vitest";
import { openSignedIn, type PathOfPage, type Person } from "./harness-account.ts";
import { openPage, type Visit } from "./harness-browser.ts";
import type { Parlance } from "./harness-server.ts";

/** The message for changes that a shared page would keep. */
const lasting = "This page is another test's as well, and would keep it. Open one for this test alone: openPage.";
const viewport = { width: 1200, height: 800 };

/** A test's page for a new user. */
export interface StartedPage {
  page: Page;
  visit: Visit;
  person: Person;
}

/**
 * One page for all tests of a file. Each test starts with a new account and empty storage. This saves half a second
 * compared with a new profile, because the browser keeps its process and compiled code. Clocks, initial scripts and
 * throttled connections would outlast the test, so they need `openPage`.
 */
export function sharedPage(shared: { readonly browser: Browser; readonly server: Parlance }): {
  /** @param expected patterns of complaints that the test's page may have */
  begin(path: PathOfPage, expected?: readonly RegExp[]): Promise<StartedPage>;
  /** For tests of visitors and tests with their own sign-in: the page shows a static file of the server. */
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

/** Removes the previous test's tabs, listeners, routes, storage, cookies and history. */
async function resetPage(page: Page, server: Parlance, devtools: CDPSession): Promise<void> {
  const others = page
    .context()
    .pages()
    .filter((other) => other !== page);
  await Promise.all(others.map((other) => other.close()));
  for (const event of ["dialog", "request", "response"] as const) page.removeAllListeners(event);
  await page.unrouteAll({ behavior: "ignoreErrors" });
  await page.setViewportSize(viewport);
  // A static file of the same origin: the process stays, and no script runs.
  await page.goto(new URL("/robots.txt", server.url).href);
  await page.context().clearCookies();
  await page.evaluate(() => sessionStorage.clear());
  await devtools.send("Storage.clearDataForOrigin", { origin: new URL(server.url).origin, storageTypes: "all" });
  await devtools.send("Page.resetNavigationHistory");
}
