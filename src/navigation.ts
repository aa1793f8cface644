import type { AnyRouter } from "@tanstack/react-router";
import { i18n } from "./i18n/index.ts";
import { focusHeading } from "./ui/focus.ts";

/** The current page's title in the user's language, preceded by that of its parent page. */
export function pageTitle(router: Pick<AnyRouter, "state">): string {
  const keys = router.state.matches.flatMap(({ staticData }) => staticData.titleKey ?? []);
  return [...keys.reverse().map((key) => i18n.t(key)), "Parlance"].join(" · ");
}

/**
 * After every navigation, sets the title and moves the focus to the heading, so that keyboard and screen reader
 * continue where the eye does. If the address has a fragment, the focus moves to that element, so that "#password" also
 * works for them.
 */
export function followNavigation(router: AnyRouter): void {
  const setTitle = () => {
    document.title = pageTitle(router);
  };
  // The first page must not take the focus, even after a redirect, which replaces the history entry. It may never be
  // rendered, if the user follows a link while it loads.
  const placeOf = () => router.history.location.state.__TSR_index;
  const openedAt = placeOf();
  let hasRendered = false;
  let focused: Element | null = null;
  router.subscribe("onBeforeNavigate", () => {
    focused = document.activeElement;
  });
  router.subscribe("onRendered", ({ pathChanged, hashChanged }) => {
    setTitle();
    const isOpening = !hasRendered && placeOf() === openedAt;
    // A field of the next page may have taken the focus.
    const isClaimed = document.activeElement !== focused && Boolean(document.activeElement?.closest("main"));
    const named = pathChanged || hashChanged ? document.getElementById(location.hash.slice(1)) : null;
    if (named !== null) named.focus();
    // The fragment's element may still be loading. Its page then moves the focus.
    else if (pathChanged && !isOpening && !location.hash && !isClaimed) focusHeading();
    hasRendered = true;
  });
  i18n.on("languageChanged", setTitle);
}
