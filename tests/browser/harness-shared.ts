import type { Browser } from "playwright";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { type BrowserOptions, openBrowser } from "./harness-browser.ts";
import { commonParlance } from "./harness-common.ts";
import { type Parlance, type ParlanceOptions, startParlance } from "./harness-server.ts";

const browsers = new Map<string, Browser>();

/**
 * One browser for all files of a worker, by its options; it ends with the worker. A test's traces are in its profile,
 * which ends with the test (openPage).
 */
export async function sharedBrowser(options: BrowserOptions = {}): Promise<Browser> {
  const key = JSON.stringify(options);
  const open = browsers.get(key);
  if (open?.isConnected()) return open;
  // Stored only after a successful start, so that a failed start does not fail the following files.
  const opened = await openBrowser(options);
  browsers.set(key, opened);
  return opened;
}

export interface SharedOptions extends ParlanceOptions {
  /** Default: a browser without a microphone. */
  browser?: BrowserOptions;
  /**
   * Whether the worker's other files use the same server. For tests that change only data of their own accounts, and
   * neither count nor mind other tests' data. A start takes as much work as two short tests, and each page would be
   * compiled again.
   */
  acrossFiles?: boolean;
}

/** A browser and one server for all tests of a file. A server that a test has killed is restarted. */
export function sharedParlance(options: SharedOptions = {}): {
  readonly browser: Browser;
  readonly server: Parlance;
  /** The address of a path of the page. */
  at(path: string): string;
} {
  let browser: Browser | undefined;
  let server: Parlance | undefined;
  let hasFailed = false;
  const isCommon = options.acrossFiles === true;
  const start = () => (isCommon ? commonParlance.take() : startParlance(options));
  beforeAll(async () => {
    browser = await sharedBrowser(options.browser);
    server = await start();
  });
  // Restarts a server when a test failed after killing it, so that no other test fails.
  beforeEach(async () => {
    if (server?.isRunning() !== false) return;
    if (!isCommon) return server.restart();
    await server.stop();
    server = await start();
  });
  afterEach(({ task }) => {
    hasFailed ||= task.result?.state === "fail";
  });
  // Stops the server after a failed test, so that its data reaches no other file.
  afterAll(() => (isCommon && !hasFailed ? commonParlance.release() : server?.stop()));
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
