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

/** Starts every page, in this order. Resolves with the router when the page can be loaded. */
export async function startPage(): Promise<PageRouter> {
  // Must come first, so that no other code sees a token in the address.
  keepOAuthCallback();
  followTheme();
  followSignedInHint();
  hearEarlyEvents(() => import("./features/session/early-heard.ts"));
  // Must come before the first actor is created.
  await startInspection();
  const router = createPageRouter();
  setPageRouter(router);
  followNavigation(router);
  showToastsWith(() => import("./features/shell/toasts.tsx"));
  await Promise.all([startI18n(), loadSidebar(router), startOffline()]);
  void hydrated.then(startAnalytics);
  return router;
}

/**
 * Loads a signed-in user's sidebar after a reload, before the guard runs. The guard reports parts that can't be loaded.
 */
async function loadSidebar(router: PageRouter): Promise<void> {
  const [routes] = router.getMatchedRoutes(router.latestLocation.pathname);
  if (hasStoredToken() && routes[1]?.id === "/_signedIn") await import("./composition.ts").catch(() => {});
}

/**
 * Starts the offline mode for a page that the service worker opens, or that was opened without a network. Other pages
 * don't need it yet.
 */
async function startOffline(): Promise<void> {
  const start = () => import("./features/offline/start.ts").then(({ openOffline }) => openOffline());
  if (isAway()) await start().catch(() => {});
  else if (navigator.serviceWorker?.controller) void hydrated.then(start).catch(() => {});
}

/** The page also works if analytics fail to load. */
function startAnalytics(): void {
  if (analyticsTag()) import("./features/analytics/start.ts").then((start) => start.startTracking()).catch(() => {});
}
