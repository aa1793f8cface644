import type { AnalyticsEvent } from "#machines/analytics/events.ts";
import { type AnalyticsSession, scrollMarks } from "#machines/analytics/rules.ts";
import type { PageRouter } from "#src/browser/page-router.ts";
import { routePattern } from "./events.ts";

/** Activity is reported at most once in this many milliseconds. */
const lifeEvery = 5_000;
const signsOfLife = ["pointerdown", "pointermove", "keydown", "wheel", "touchmove", "scroll"] as const;

/** How much of a page, or of a box in it, has been visible, in percent. */
export function depthOf({ scrollTop, clientHeight, scrollHeight }: Pick<Element, "scrollTop" | "clientHeight" | "scrollHeight">) {
  return scrollHeight === 0 ? 0 : ((scrollTop + clientHeight) / scrollHeight) * 100;
}

/**
 * Reports the person's activity and the current route.
 * @param persisted the session that this browser stores
 * @returns a function that stops it
 */
export function watchPage(
  router: PageRouter,
  persisted: () => AnalyticsSession | null,
  send: (event: AnalyticsEvent) => void,
): () => void {
  const stop = new AbortController();
  const options = { signal: stop.signal, passive: true, capture: true };
  watchRoutes(router, send, stop.signal);
  let reportedAt = Number.NEGATIVE_INFINITY;
  const live = (at: number) => {
    reportedAt = at;
    send({ type: "activity.noticed", persisted: persisted() });
  };
  for (const name of signsOfLife) {
    document.addEventListener(name, ({ timeStamp }) => timeStamp - reportedAt >= lifeEvery && live(timeStamp), options);
  }
  const scrolled = ({ target }: Event) => {
    const { documentElement: page } = document;
    // At the top nobody has scrolled: a page that is left for a shorter one, such as the loading screen, is moved there by the browser.
    const percent = target === document && page.scrollTop > 0 ? depthOf(page) : 0;
    if (percent >= (scrollMarks[0] ?? 0)) send({ type: "page.scrolled", percent });
  };
  document.addEventListener("scroll", scrolled, options);
  const seen = ({ timeStamp }: Pick<Event, "timeStamp">) => {
    const isVisible = document.visibilityState === "visible";
    if (isVisible) live(timeStamp);
    send({ type: isVisible ? "page.shown" : "page.hidden" });
  };
  document.addEventListener("visibilitychange", seen, options);
  seen({ timeStamp: performance.now() });
  return () => stop.abort();
}

/** The pattern of the current route; "" before there is one. */
export function shownPattern(router: PageRouter): string {
  const match = router.state.matches.at(-1);
  return match === undefined ? "" : routePattern(match.fullPath);
}

/** Only a change of the path counts as a change of the route: searches and dialogs on a page are not reported. */
function watchRoutes(router: PageRouter, send: (event: AnalyticsEvent) => void, signal: AbortSignal): void {
  let pathname = "";
  const check = () => {
    const { resolvedLocation } = router.state;
    if (resolvedLocation === undefined || resolvedLocation.pathname === pathname) return;
    pathname = resolvedLocation.pathname;
    send({ type: "route.changed", path: shownPattern(router) });
  };
  check();
  signal.addEventListener("abort", router.subscribe("onResolved", check));
}
