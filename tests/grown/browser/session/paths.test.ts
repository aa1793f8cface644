import { test } from "vitest";
import { openPage, sharedParlance } from "#tests/browser/harness.ts";
import { walkInBrowser } from "#tests/browser/harness-paths.ts";
import { createSessionPerson } from "#tests/browser/session/person.ts";
import { sessionWalk } from "#tests/paths/session/machine.ts";

// The paths of the session machine, walked in a real browser: each state is what a person sees.

const shared = sharedParlance();

const noTokenNoRefresh = "the page asks for a new token only when it has one that ended";
const atTheGuard = "pressed on the guard's screen, when that is slow: access-paths.test.ts";
const endsBegin = "a token's end begins a refresh, and so does the waking that a guard asks for first";

test("every transition of the session that a page can make", async () => {
  const context = { reducedMotion: "reduce" } as const;
  await using visit = await openPage(shared.browser, { expected: [/Failed to load resource/], context });
  const person = await createSessionPerson(visit.page, shared.server.apiUrl, shared.at);
  const starts = sessionWalk.starts?.filter((start) => start !== "nobody is signed in, and a refresh is wanted") ?? [];
  await walkInBrowser({ ...sessionWalk, starts }, person, {
    "session.token.signedOut: [hasToken] → session.token.checking": noTokenNoRefresh,
    'session.refresh.refreshing: refresh succeeded [kind is "renewed" && refresh.from is null] → session.refresh.settled':
      noTokenNoRefresh,
    "session.refresh.idle: refresh.requested [isBackingOff] → session.refresh.skipped": endsBegin,
    "session.refresh.idle: refresh.requested → session.refresh.refreshing": endsBegin,
    "session.refresh.waitingForNetwork: refresh.requested → session.refresh.refreshing": endsBegin,
    "session.refresh.refreshing: retry.requested → session.refresh.refreshing": atTheGuard,
    "session.refresh.waitingForNetwork: retry.requested → session.refresh.refreshing": atTheGuard,
    "session.profile.loading: retry.requested → session.profile.loading": atTheGuard,
    "session.profile.missing: retry.requested → session.profile.loading": atTheGuard,
    "session.profile: profile.changed [isTheirs] → session.profile.known":
      "the settings page sends it, which is not part of this walk",
    "session.token: session.reliedOn → (stays)":
      "every call and every guard does it, unseen; tests/browser/session/session.test.ts",
    "session.refresh.refreshing: refresh failed → session.refresh.failed":
      "the page's refresh never throws (src/features/session/refresh.ts)",
  });
});
