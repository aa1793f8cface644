import type { AnyRouter } from "@tanstack/react-router";
import { i18n } from "./i18n/index.ts";
import { focusHeading } from "./ui/focus.ts";

/** The title of the page that is shown, in the person's language; before that of the page that it is a part of. */
export function pageTitle(router: Pick<AnyRouter, "state">): string {
  const keys = router.state.matches.flatMap(({ staticData }) => staticData.titleKey ?? []);
  return [...keys.reverse().map((key) => i18n.t(key)), "Parlance"].join(" · ");
}

/**
 * After every navigation: sets the title and moves the focus to the heading, so that keyboard and screen reader go on where the eye
 * does: or to what the address names, so that "#password" leads to that part of the page for them, too.
 */
export function followNavigation(router: AnyRouter): void {
  const setTitle = () => {
    document.title = pageTitle(router);
  };
  // The page that was opened leaves the focus alone, also after a redirect (which replaces it in the history). It need not be the
  // first that is rendered: who follows a link while it loads never sees it.
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
    // The next page may have a field that has taken the focus.
    const isClaimed = document.activeElement !== focused && Boolean(document.activeElement?.closest("main"));
    const named = pathChanged || hashChanged ? document.getElementById(location.hash.slice(1)) : null;
    if (named !== null) named.focus();
    // What the address names may still be loading: its page knows when it is there.
    else if (pathChanged && !isOpening && !location.hash && !isClaimed) focusHeading();
    hasRendered = true;
  });
  i18n.on("languageChanged", setTitle);
}
