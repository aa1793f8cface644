import "./ui/tokens.css";
import "./ui/base.css";
import { RouterProvider } from "@tanstack/react-router";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { setPageRouter } from "./browser/page-router.ts";
import { showToastsWith } from "./browser/toasts.ts";
import { analyticsTag } from "./features/analytics/config.ts";
import { startInspection } from "./features/inspection/start.ts";
import { hearEarlyEvents } from "./features/session/early-events.ts";
import { keepOAuthCallback } from "./features/session/oauth-callback.ts";
import { hasStoredToken } from "./features/session/token-hint.ts";
import { followTheme } from "./features/shell/theme.ts";
import { startI18n } from "./i18n/index.ts";
import { createPageRouter } from "./router.ts";

// Before anything else: nothing of the page sees a token that stands in the address.
keepOAuthCallback();
followTheme();

const root = document.getElementById("root");
if (!root) throw new Error("There is no #root");

const router = createPageRouter();
setPageRouter(router);
showToastsWith(() => import("./features/shell/toasts.tsx"));
hearEarlyEvents(() => import("./features/session/early-heard.ts"));
void start(root);

/** Not awaited above: what it loads needs parts of this script, and would wait for its end. */
async function start(root: HTMLElement) {
  await startInspection();
  await Promise.all([startI18n(), loadSidebar()]);
  createRoot(root).render(
    <StrictMode>
      <RouterProvider router={router} />
    </StrictMode>,
  );
  // A page that can't be measured is a page all the same.
  if (analyticsTag()) import("./features/analytics/start.ts").then((start) => start.startTracking()).catch(() => {});
}

/** After a reload, whoever is signed in has the sidebar before the guard has asked anything. What can't be loaded, the guard misses, too. */
async function loadSidebar() {
  const [routes] = router.getMatchedRoutes(router.latestLocation.pathname);
  if (hasStoredToken() && routes[1]?.id === "/_signedIn") await import("./composition.ts").catch(() => {});
}
