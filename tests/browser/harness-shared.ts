import type { Browser } from "playwright";
import { afterAll, afterEach, beforeAll, beforeEach } from "vitest";
import { type BrowserOptions, openBrowser } from "./harness-browser.ts";
import { commonParlance } from "./harness-common.ts";
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
  /**
   * Whether the server is also that of the worker's other files: for tests that change nothing but what belongs to accounts of their own,
   * and neither count what others leave nor mind it. Starting one takes as much work as two short tests, and each page would be compiled anew.
   */
  acrossFiles?: boolean;
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
  let hasFailed = false;
  const isCommon = options.acrossFiles === true;
  const start = () => (isCommon ? commonParlance.take() : startParlance(options));
  beforeAll(async () => {
    browser = await sharedBrowser(options.browser);
    server = await start();
  });
  // A test that failed between the killing and the new start takes no other with it.
  beforeEach(async () => {
    if (server?.isRunning() !== false) return;
    if (!isCommon) return server.restart();
    await server.stop();
    server = await start();
  });
  afterEach(({ task }) => {
    hasFailed ||= task.result?.state === "fail";
  });
  // What a failed test has left behind is no other file's.
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
