import "./ui/tokens.css";
import "./ui/base.css";
import "./ui/first-sight.css";
import { createRoot, hydrateRoot } from "react-dom/client";
import { beginHydration, endHydration } from "./browser/first-sight.ts";
import { setPageRouter } from "./browser/page-router.ts";
import { showToastsWith } from "./browser/toasts.ts";
import { analyticsTag } from "./features/analytics/config.ts";
import { pageTree } from "./features/frame/page-tree.tsx";
import { startInspection } from "./features/inspection/start.ts";
import { hearEarlyEvents } from "./features/session/early-events.ts";
import { keepOAuthCallback } from "./features/session/oauth-callback.ts";
import { followSignedInHint, hasStoredToken } from "./features/session/token-hint.ts";
import { followTheme } from "./features/shell/theme.ts";
import { speaksOnly, startI18n } from "./i18n/index.ts";
import { createPageRouter, followNavigation } from "./router.ts";

// Before anything else: nothing of the page sees a token that stands in the address.
keepOAuthCallback();
followTheme();
followSignedInHint();

const page = document.documentElement;
const root = document.getElementById("root");
if (!root) throw new Error("There is no #root");
const { page: arrived, held } = page.dataset;
/** The address and language of the HTML that came with the page; undefined: there is none, or it is not for this person (index.html). */
const rendered = arrived === undefined || held !== undefined ? undefined : { href: arrived, language: page.lang };
if (rendered === undefined) root.replaceChildren();
delete page.dataset.held;

const router = createPageRouter();
setPageRouter(router);
followNavigation(router);
showToastsWith(() => import("./features/shell/toasts.tsx"));
hearEarlyEvents(() => import("./features/session/early-heard.ts"));
void start(root);

/** Not awaited above: what it loads needs parts of this script, and would wait for its end. */
async function start(root: HTMLElement) {
  await startInspection();
  await Promise.all([startI18n(), loadSidebar()]);
  if (rendered === undefined || !(await hydrate(root, rendered))) {
    endHydration();
    root.replaceChildren();
    createRoot(root).render(pageTree(router));
  }
  // A page that can't be measured is a page all the same.
  if (analyticsTag()) import("./features/analytics/start.ts").then((start) => start.startTracking()).catch(() => {});
}

/**
 * Takes the HTML over once all is there that it was made from.
 * @returns false when it can't be: its texts could not be loaded, or the page or language is decided in another way than in index.html
 */
async function hydrate(root: HTMLElement, { href, language }: { href: string; language: string }): Promise<boolean> {
  if (!speaksOnly(language)) return false;
  beginHydration();
  await Promise.race([router.load(), redirected(href)]);
  if (!speaksOnly(language) || router.state.location.pathname !== href.split("?")[0]) return false;
  // What could not be loaded says so itself.
  if (router.state.matches.some(({ status }) => status !== "success")) return false;
  // What the router renders on a server: without a boundary around all of it.
  router.ssr = { manifest: undefined };
  hydrateRoot(root, pageTree(router));
  return true;
}

/** What a guard leads to may take its time: then its loading screen is seen, and not the page that was left. @param href of the HTML */
function redirected(href: string): Promise<void> {
  return new Promise((resolve) => {
    router.subscribe("onBeforeLoad", ({ toLocation }) => {
      if (toLocation.pathname !== href.split("?")[0]) resolve();
    });
  });
}

/** After a reload, whoever is signed in has the sidebar before the guard has asked anything. What can't be loaded, the guard misses, too. */
async function loadSidebar() {
  const [routes] = router.getMatchedRoutes(router.latestLocation.pathname);
  if (hasStoredToken() && routes[1]?.id === "/_signedIn") await import("./composition.ts").catch(() => {});
}
