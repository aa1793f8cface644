import { isAway } from "./browser/network.ts";
import { type PageRouter, setPageRouter } from "./browser/page-router.ts";
import { hydrated } from "./browser/server-rendered.ts";
import { showToastsWith } from "./browser/toasts.ts";
import { analyticsTag } from "./features/analytics/config.ts";
import { startInspection } from "./features/inspection/start.ts";
import { hearEarlyEvents } from "./features/session/early-events.ts";
import { keepOAuthCallback } from "./features/session/oauth-callback.ts";
import { followSignedInHint, hasStoredToken } from "./features/session/token-hint.ts";
import { followTheme } from "./features/shell/theme.ts";
import { startI18n } from "./i18n/index.ts";
import { followNavigation } from "./navigation.ts";
import { createPageRouter } from "./router.ts";

/** What every page begins with, in this order. Resolves with its router when the page can be loaded. */
export async function startPage(): Promise<PageRouter> {
  // First: nothing else of the page sees a token that stands in the address.
  keepOAuthCallback();
  followTheme();
  followSignedInHint();
  hearEarlyEvents(() => import("./features/session/early-heard.ts"));
  // Before the first actor is created.
  await startInspection();
  const router = createPageRouter();
  setPageRouter(router);
  followNavigation(router);
  showToastsWith(() => import("./features/shell/toasts.tsx"));
  await Promise.all([startI18n(), loadSidebar(router), startOffline()]);
  void hydrated.then(startAnalytics);
  return router;
}

/** After a reload, whoever is signed in has the sidebar before the guard asks. The guard reports what can't be loaded. */
async function loadSidebar(router: PageRouter): Promise<void> {
  const [routes] = router.getMatchedRoutes(router.latestLocation.pathname);
  if (hasStoredToken() && routes[1]?.id === "/_signedIn") await import("./composition.ts").catch(() => {});
}

/** For a page that the service worker opens, or has opened without a network. All others have none yet. */
async function startOffline(): Promise<void> {
  const start = () => import("./features/offline/start.ts").then(({ openOffline }) => openOffline());
  if (isAway()) await start().catch(() => {});
  else if (navigator.serviceWorker?.controller) void hydrated.then(start).catch(() => {});
}

/** A page that can't be measured is a page all the same. */
function startAnalytics(): void {
  if (analyticsTag()) import("./features/analytics/start.ts").then((start) => start.startTracking()).catch(() => {});
}
