import type { Browser } from "playwright-core";
import { afterAll, beforeAll } from "vitest";
import { openBrowser } from "./harness-browser.ts";
import { type Parlance, startParlance } from "./harness-server.ts";

/** One browser without a microphone, and one server, for all tests of a file; there from the first test to the last. */
export function sharedParlance(): {
  readonly browser: Browser;
  readonly server: Parlance;
  /** Where a path of the page is. */
  at(path: string): string;
} {
  let browser: Browser | undefined;
  let server: Parlance | undefined;
  beforeAll(async () => {
    browser = await openBrowser();
    server = await startParlance();
  });
  afterAll(async () => {
    await browser?.close();
    await server?.stop();
  });
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
