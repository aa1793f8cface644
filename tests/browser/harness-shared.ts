import type { Browser } from "playwright-core";
import { afterAll, beforeAll, beforeEach } from "vitest";
import { type BrowserOptions, openBrowser } from "./harness-browser.ts";
import { type Parlance, type ParlanceOptions, startParlance } from "./harness-server.ts";

const browsers = new Map<string, Browser>();

/**
 * One for all files that a worker runs, by how it is started: what a test leaves behind is in its profile, which ends with it (openPage).
 * It ends with the worker.
 */
export async function sharedBrowser(options: BrowserOptions = {}): Promise<Browser> {
  const key = JSON.stringify(options);
  const open = browsers.get(key);
  if (open?.isConnected()) return open;
  // Kept once it is there: one that could not be started is no reason for the files after it to fail.
  const opened = await openBrowser(options);
  browsers.set(key, opened);
  return opened;
}

export interface SharedOptions extends ParlanceOptions {
  /** Without: one that has no microphone. */
  browser?: BrowserOptions;
}

/** A browser and one server for all tests of a file, there from the first test to the last; one that a test has killed is started again. */
export function sharedParlance(options: SharedOptions = {}): {
  readonly browser: Browser;
  readonly server: Parlance;
  /** Where a path of the page is. */
  at(path: string): string;
} {
  let browser: Browser | undefined;
  let server: Parlance | undefined;
  beforeAll(async () => {
    browser = await sharedBrowser(options.browser);
    server = await startParlance(options);
  });
  // A test that failed between the killing and the new start takes no other with it.
  beforeEach(async () => {
    if (server?.isRunning() === false) await server.restart();
  });
  afterAll(() => server?.stop());
  const there = <Part>(part: Part | undefined): Part => {
    if (part === undefined) throw new Error("The tests have not begun, or are over.");
    return part;
  };
  return {
    get browser() {
      return there(browser);
    },
    get server() {
      return there(server);
    },
    at: (path) => new URL(path, there(server).url).href,
  };
}
