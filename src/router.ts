import { createRouter, type RouterHistory } from "@tanstack/react-router";
import type { Need } from "#machines/session/access.ts";
import { PageLayout } from "./features/layout/page-layout.tsx";
import { Loading } from "./features/shell/loading.tsx";
import { routeTree } from "./routeTree.gen.ts";

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createPageRouter>;
  }
  interface HistoryState {
    /**
     * Set when the subscription gate has redirected from the encrypted audio. The page then explains it and how to
     * unlock it.
     */
    isVaultLocked?: boolean;
  }
  interface StaticDataRouteOption {
    /** The page's title: a key of the `translation` namespace, or of one that the page's loader loads. */
    titleKey?: string;
    /** The description for search engines: a key that the page's loader loads. */
    descriptionKey?: string;
    /** Set for visitors' pages that arrive as HTML: "built" at build time, "asked" by the server on request. */
    html?: "built" | "asked";
    /** What pages below `_signedIn` need beyond a signed-in user. */
    need?: Need;
  }
}

/** @param history in the renderer: the address to render */
export function createPageRouter(history?: RouterHistory) {
  return createRouter({
    routeTree,
    ...(history && { history }),
    // Off in the renderer, where it would add a script to the page.
    scrollRestoration: history === undefined,
    defaultPreload: "intent",
    // A guard's answer on hover may be outdated at the real navigation, so the guard runs again.
    defaultPreloadStaleTime: 0,
    InnerWrap: PageLayout,
    defaultPendingComponent: Loading,
    defaultPendingMs: 150,
    defaultPendingMinMs: 300,
  });
}
