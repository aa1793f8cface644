import { createRouter, type RouterHistory } from "@tanstack/react-router";
import type { Need } from "#machines/session/access.ts";
import { PageFrame } from "./features/frame/page-frame.tsx";
import { Loading } from "./features/shell/loading.tsx";
import { i18n } from "./i18n/index.ts";
import { routeTree } from "./routeTree.gen.ts";
import { focusHeading } from "./ui/focus.ts";

declare module "@tanstack/react-router" {
  interface Register {
    router: ReturnType<typeof createPageRouter>;
  }
  interface StaticDataRouteOption {
    /** The page's title: a key of the `translation` namespace. */
    titleKey?: string;
    /** What it needs beyond being signed in, for the pages below `_signedIn`. */
    need?: Need;
  }
}

type PageRouter = ReturnType<typeof createPageRouter>;

/** The page's router. @param history in the renderer: the address that is rendered */
export function createPageRouter(history?: RouterHistory) {
  return createRouter({
    routeTree,
    ...(history && { history }),
    // For HTML, it would be a script in the page.
    scrollRestoration: history === undefined,
    defaultPreload: "intent",
    // A guard that has answered is asked again at the real navigation: what it granted on hover may be over by then.
    defaultPreloadStaleTime: 0,
    InnerWrap: PageFrame,
    defaultPendingComponent: Loading,
    defaultPendingMs: 150,
    defaultPendingMinMs: 300,
  });
}

/** The title of the page that is shown, in the person's language. */
export function pageTitle(router: Pick<PageRouter, "state">): string {
  const key = router.state.matches.findLast((match) => match.staticData.titleKey)?.staticData.titleKey;
  return key ? `${i18n.t(key)} · Parlance` : "Parlance";
}

/**
 * After every navigation: sets the title and moves the focus to the heading, so that keyboard and screen reader go on where the eye
 * does.
 */
export function followNavigation(router: PageRouter): void {
  const setTitle = () => {
    document.title = pageTitle(router);
  };
  // The page that was opened leaves the focus alone, also after a redirect (which replaces it in the history). It need not be the
  // first that is rendered: who follows a link while it loads never sees it.
  const placeOf = () => router.history.location.state.__TSR_index;
  const openedAt = placeOf();
  let hasRendered = false;
  router.subscribe("onRendered", ({ pathChanged }) => {
    setTitle();
    const isOpening = !hasRendered && placeOf() === openedAt;
    if (pathChanged && !isOpening && !location.hash) focusHeading();
    hasRendered = true;
  });
  i18n.on("languageChanged", setTitle);
}
