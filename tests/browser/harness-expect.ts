import { expect as playwrightExpect } from "playwright/test";
import { timeLimit } from "#tests/fixtures/time-limit.ts";

/**
 * Playwright's `expect`, the only one of the browser tests. For a locator or page it is awaited: it retries until the
 * assertion holds, and reports the last state. For a value it checks once. The timeout suits a busy machine; the
 * default is five seconds.
 */
export const expect = playwrightExpect.configure({ timeout: timeLimit(60_000) });
