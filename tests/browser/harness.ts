/** What browser tests stand on: the real server in a process of its own, a real Chromium, and a person who has signed up. */
export { enter, enterAs, enterAsSuperuser, openSignedIn, type Person, signUp } from "./harness-account.ts";
export { openBrowser, openPage, type Visit } from "./harness-browser.ts";
export { expect } from "./harness-expect.ts";
export { screenshots } from "./harness-screenshots.ts";
export { type Parlance, startParlance } from "./harness-server.ts";
export { sharedBrowser, sharedParlance } from "./harness-shared.ts";
export { sharedPage } from "./harness-shared-page.ts";
