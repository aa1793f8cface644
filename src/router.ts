import { createRouter } from "@tanstack/react-router";
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

/**
 * The page's router. After every navigation it sets the title in the person's language and moves the focus to the heading, so that
 * keyboard and screen reader go on where the eye does.
 */
export function createPageRouter() {
  const router = createRouter({
    routeTree,
    scrollRestoration: true,
    defaultPreload: "intent",
    // A guard that has answered is asked again at the real navigation: what it granted on hover may be over by then.
    defaultPreloadStaleTime: 0,
    InnerWrap: PageFrame,
    defaultPendingComponent: Loading,
    defaultPendingMs: 150,
    defaultPendingMinMs: 300,
  });
  const setTitle = () => {
    const key = router.state.matches.findLast((match) => match.staticData.titleKey)?.staticData.titleKey;
    document.title = key ? `${i18n.t(key)} · Parlance` : "Parlance";
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
  return router;
}
