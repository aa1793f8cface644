import type { AnyRoute, AnyRouter } from "@tanstack/react-router";
import { takenOver } from "./browser/first-sight.ts";
import { isAway } from "./browser/network.ts";
import { showToastsWith } from "./browser/toasts.ts";
import { analyticsTag } from "./features/analytics/config.ts";
import { startInspection } from "./features/inspection/start.ts";
import { hearEarlyEvents } from "./features/session/early-events.ts";
import { keepOAuthCallback } from "./features/session/oauth-callback.ts";
import { hasStoredToken } from "./features/session/token-hint.ts";
import { followNavigation } from "./navigation.ts";
import { routeTree } from "./routeTree.gen.ts";

// What every page begins with but the landing page, which has it as soon as it can be used: the HTML of all others names this file
// (scripts/build.mjs), so that it comes along with src/main.tsx.

const loadTaker = () => import("./features/session/early-heard.ts");
const loadToasts = () => import("./features/shell/toasts.tsx");

/** Whether the page has begun with all routes. */
let hasBegun = false;

/** Before the page's router is there: nothing of the page sees a token that stands in the address. @returns all routes */
export async function beginPage(): Promise<AnyRoute> {
  keepOAuthCallback();
  hearEarlyEvents(loadTaker);
  await startInspection();
  return routeTree;
}

/** For the router with all routes. Resolves when its page can be shown. */
export async function attendPage(router: AnyRouter): Promise<void> {
  hasBegun = true;
  followNavigation(router);
  showToastsWith(loadToasts);
  await Promise.all([loadSidebar(router), attendOffline()]);
}

/** What a guard leads to may take its time: then its loading screen is seen, and not the page that is left. */
export function leavesPath(router: AnyRouter, path: string | undefined): Promise<void> {
  return new Promise((resolve) => {
    router.subscribe("onBeforeLoad", ({ toLocation }) => {
      if (toLocation.pathname !== path) resolve();
    });
  });
}

/** Once the page can be used: the landing page has begun without all this. */
export function completePage(router: AnyRouter): void {
  if (!hasBegun) {
    hearEarlyEvents(loadTaker);
    followNavigation(router, true);
    showToastsWith(loadToasts);
    // They have been put below the root route, which the router knows.
    router.setRoutes(router.buildRouteTree());
    void attendOffline();
  }
  // A page that can't be measured is a page all the same.
  if (analyticsTag()) import("./features/analytics/start.ts").then((start) => start.startTracking()).catch(() => {});
}

/** A page that the service worker opens, or has opened without a network; everybody else has none, or has not signed in yet. */
async function attendOffline() {
  const start = () => import("./features/offline/start.ts").then(({ openOffline }) => openOffline());
  if (isAway()) await start().catch(() => {});
  else if (navigator.serviceWorker?.controller) void takenOver.then(start).catch(() => {});
}

/** After a reload, whoever is signed in has the sidebar before the guard has asked anything. What can't be loaded, the guard misses, too. */
async function loadSidebar(router: AnyRouter) {
  const [routes] = router.getMatchedRoutes(router.latestLocation.pathname);
  if (hasStoredToken() && routes[1]?.id === "/_signedIn") await import("./composition.ts").catch(() => {});
}
