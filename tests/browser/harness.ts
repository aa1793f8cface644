/** Harness of the browser tests: the real server in a separate process, a real Chromium, and a signed-up user. */
export { enter, enterAs, enterAsSuperuser, openSignedIn, type Person, signUp } from "./harness-account.ts";
export { openBrowser, openPage, type Visit } from "./harness-browser.ts";
export { expect } from "./harness-expect.ts";
export { screenshots } from "./harness-screenshots.ts";
export { type Parlance, startParlance } from "./harness-server.ts";
export { sharedBrowser, sharedParlance } from "./harness-shared.ts";
export { sharedPage } from "./harness-shared-page.ts";
