import type { AnyRouter } from "@tanstack/react-router";
import { i18n } from "./i18n/index.ts";
import { focusHeading } from "./ui/focus.ts";

/** The title of the page that is shown, in the person's language. */
export function pageTitle(router: Pick<AnyRouter, "state">): string {
  const key = router.state.matches.findLast((match) => match.staticData.titleKey)?.staticData.titleKey;
  return key ? `${i18n.t(key)} · Parlance` : "Parlance";
}

/**
 * After every navigation: sets the title and moves the focus to the heading, so that keyboard and screen reader go on where the eye
 * does.
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
  router.subscribe("onRendered", ({ pathChanged }) => {
    setTitle();
    const isOpening = !hasRendered && placeOf() === openedAt;
    // The next page may have a field that has taken the focus.
    const isClaimed = document.activeElement !== focused && Boolean(document.activeElement?.closest("main"));
    if (pathChanged && !isOpening && !location.hash && !isClaimed) focusHeading();
    hasRendered = true;
  });
  i18n.on("languageChanged", setTitle);
}
