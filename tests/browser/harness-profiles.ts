import type { Browser, BrowserContext, BrowserContextOptions, CDPSession, Disposable, Page } from "playwright";
import { timeLimit } from "#tests/fixtures/time-limit.ts";

// A page that serves several tests keeps its process and its compiled code, which saves half a second per test. It is
// emptied between two tests; a lasting change to the profile closes it instead.

/** A browser profile with a page. */
export interface Profile {
  readonly context: BrowserContext;
  readonly page: Page;
  /** Leaves the product's page and closes all other pages. Stored data stays. */
  leave(): Promise<void>;
  /** Empties the profile and keeps it for the next test, or closes it. */
  release(): Promise<void>;
}

/** Number of profiles that wait for the next test; tests have two or three users. */
const kept = 3;
/** A static file of the server. */
const emptyPage = "/robots.txt";
/** Timeout in ms for the empty page; a server that does not answer is gone. */
const emptyPageMs = timeLimit(5_000);
const viewport = { width: 1200, height: 800 };

/** Events of a page or profile that a test can listen to. */
const pageEvents = [
  ...(["console", "pageerror", "dialog", "download", "filechooser", "popup", "websocket", "worker", "framenavigated"] as const),
  ...(["request", "requestfinished", "requestfailed", "response", "load", "domcontentloaded"] as const),
];
const contextEvents = [
  ...(["console", "weberror", "dialog", "page", "request", "requestfinished", "requestfailed", "response"] as const),
];

/** Methods whose effect can't be undone: clocks, sockets, devtools (throttled connections). */
const lasting = [
  ...["routeWebSocket", "exposeFunction", "exposeBinding"],
  ...["setDefaultTimeout", "setDefaultNavigationTimeout", "setExtraHTTPHeaders"],
];
const lastingOfPage = [...lasting, "emulateMedia"];
const lastingOfContext = [...lasting, "addInitScript", "newCDPSession", "setOffline", "setGeolocation"];

const waiting = new WeakMap<Browser, Map<string, Profile[]>>();

/**
 * Returns a profile with an empty page, either a released or a new one.
 * @param reuse whether it may be a released one, and may be kept
 * @param prepare prepares the profile before its use
 */
export async function openProfile(
  browser: Browser,
  options: BrowserContextOptions,
  reuse: boolean,
  prepare: (context: BrowserContext, isNew: boolean) => Promise<void>,
): Promise<Profile> {
  const key = JSON.stringify(options);
  const byOptions = waiting.get(browser) ?? new Map<string, Profile[]>();
  waiting.set(browser, byOptions);
  const known = byOptions.get(key) ?? [];
  byOptions.set(key, known);
  const released = reuse ? known.pop() : undefined;
  if (released !== undefined) {
    await prepare(released.context, false);
    return released;
  }
  const context = await browser.newContext({ viewport, ...options });
  await prepare(context, true);
  const page = await context.newPage();
  if (!reuse) return alone(context, page);
  return reusable(context, page, await context.newCDPSession(page), {
    size: options.viewport === undefined ? viewport : options.viewport,
    permissions: options.permissions ?? [],
    keep: (profile) => known.length < kept && known.push(profile) > 0,
  });
}

const closeAll = async (context: BrowserContext) => {
  await Promise.all(context.pages().map((open) => open.close()));
};

function alone(context: BrowserContext, page: Page): Profile {
  return { context, page, leave: () => closeAll(context), release: () => context.close() };
}

interface Keeping {
  size: { width: number; height: number } | null;
  /** The original permissions, restored for each use of the profile. */
  permissions: readonly string[];
  /** Returns whether the profile is kept. */
  keep(profile: Profile): boolean;
}

function reusable(context: BrowserContext, page: Page, devtools: CDPSession, { size, permissions, keep }: Keeping): Profile {
  const lasts = watchForLasting(context, page);
  const scripts = watchScripts(page);
  const visited = new Set<string>();
  const watchPlaces = () => {
    page.on("framenavigated", (frame) => {
      const { protocol, origin } = new URL(frame.url());
      if (protocol.startsWith("http")) visited.add(origin);
    });
  };
  watchPlaces();

  /**
   * Opens the empty page of the same origin, so that the process stays and no script runs.
   * @throws Error when that is impossible
   */
  const leaveForEmptyPage = async () => {
    const others = context.pages().filter((other) => other !== page);
    await Promise.all(others.map((other) => other.close()));
    const { protocol, origin, pathname } = new URL(page.url());
    if (!protocol.startsWith("http")) throw new Error("The page was never opened.");
    for (const script of scripts.splice(0)) await script.dispose();
    // Before the routes are removed: requests that they hold back end with the page, and never reach the server. (The
    // page often left before its release.)
    if (pathname !== emptyPage) await page.goto(new URL(emptyPage, origin).href, { timeout: emptyPageMs });
    await page.unrouteAll({ behavior: "ignoreErrors" });
    await context.unrouteAll({ behavior: "ignoreErrors" });
  };

  /** Other tabs' session storage was closed with them. */
  const emptySessionStorage = async () => {
    await page.evaluate(() => sessionStorage.clear());
    const { origin: here } = new URL(page.url());
    for (const origin of [...visited].filter((other) => other !== here)) {
      await page.goto(new URL(emptyPage, origin).href, { timeout: emptyPageMs });
      await page.evaluate(() => sessionStorage.clear());
    }
  };

  const empty = async () => {
    for (const event of pageEvents) page.removeAllListeners(event);
    for (const event of contextEvents) context.removeAllListeners(event);
    await leaveForEmptyPage();
    if (size !== null) await page.setViewportSize(size);
    // Moves the pointer away from all elements.
    await page.mouse.move(-10, -10);
    await context.clearCookies();
    await context.clearPermissions();
    if (permissions.length > 0) await context.grantPermissions([...permissions]);
    await emptySessionStorage();
    for (const origin of visited) await devtools.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
    await devtools.send("Page.resetNavigationHistory");
    visited.clear();
    watchPlaces();
  };

  const profile: Profile = {
    context,
    page,
    leave: async () => {
      if (lasts() || page.isClosed()) return closeAll(context);
      await leaveForEmptyPage().catch(() => closeAll(context));
    },
    release: async () => {
      if (lasts() || page.isClosed()) return context.close();
      const isEmpty = await empty().then(
        () => true,
        () => false,
      );
      if (!isEmpty || !keep(profile)) await context.close();
    },
  };
  return profile;
}

/** @returns whether a lasting change was made to the profile */
function watchForLasting(context: BrowserContext, page: Page): () => boolean {
  let lasts = false;
  const note = (target: object, name: string) => {
    const own: unknown = Reflect.get(target, name);
    if (typeof own !== "function") throw new Error(`Playwright has no ${name} any more.`);
    const noting = (...args: unknown[]): unknown => {
      lasts = true;
      return Reflect.apply(own, target, args);
    };
    Reflect.set(target, name, noting);
  };
  for (const name of lastingOfPage) note(page, name);
  for (const name of lastingOfContext) note(context, name);
  for (const name of ["install", "setFixedTime", "setSystemTime"]) note(context.clock, name);
  return () => lasts;
}

/** @returns the page's initial scripts, which can be disposed */
function watchScripts(page: Page): Disposable[] {
  const scripts: Disposable[] = [];
  const own = page.addInitScript.bind(page);
  const addInitScript: typeof own = async (...args) => {
    const script = await own(...args);
    scripts.push(script);
    return script;
  };
  Object.assign(page, { addInitScript });
  return scripts;
}
