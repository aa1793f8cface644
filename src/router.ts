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
    /** The subscription gate has led here from the encrypted audio: the page says what it is, and what unlocks it. */
    isVaultLocked?: boolean;
  }
  interface StaticDataRouteOption {
    /** The page's title: a key of the `translation` namespace, or one that its loader has loaded. */
    titleKey?: string;
    /** Its description for search engines: a key that its loader has loaded. */
    descriptionKey?: string;
    /** A visitors' page that arrives as HTML: made by the build, or by the server when it is asked for. */
    html?: "built" | "asked";
    /** What it needs beyond being signed in, for the pages below `_signedIn`. */
    need?: Need;
  }
}

/** @param history in the renderer: the address that is rendered */
export function createPageRouter(history?: RouterHistory) {
  return createRouter({
    routeTree,
    ...(history && { history }),
    // For HTML, it would be a script in the page.
    scrollRestoration: history === undefined,
    defaultPreload: "intent",
    // A guard that has answered is asked again at the real navigation: what it granted on hover may be over by then.
    defaultPreloadStaleTime: 0,
    InnerWrap: PageLayout,
    defaultPendingComponent: Loading,
    defaultPendingMs: 150,
    defaultPendingMinMs: 300,
  });
}
