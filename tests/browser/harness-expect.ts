import { expect as playwrightExpect } from "playwright/test";
import { timeLimit } from "#tests/fixtures/time-limit.ts";

/**
 * The one `expect` of the browser tests, Playwright's: of a locator or a page it is awaited, waits until it is so, and fails with what was
 * seen meanwhile; of a value it looks once. What is awaited has as long as the machine needs; the default would be five seconds.
 */
export const expect = playwrightExpect.configure({ timeout: timeLimit(60_000) });
