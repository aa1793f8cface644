import type { AnalyticsEvent } from "#machines/analytics/events.ts";
import { type AnalyticsSession, scrollMarks } from "#machines/analytics/rules.ts";
import type { PageRouter } from "#src/browser/page-router.ts";
import { routePattern } from "./events.ts";

/** The minimum time between two reports of activity (ms). */
const lifeEvery = 5_000;
const signsOfLife = ["pointerdown", "pointermove", "keydown", "wheel", "touchmove", "scroll"] as const;

/** How much of a page, or of a box in it, the user has seen, in percent. */
export function depthOf({ scrollTop, clientHeight, scrollHeight }: Pick<Element, "scrollTop" | "clientHeight" | "scrollHeight">) {
  return scrollHeight === 0 ? 0 : ((scrollTop + clientHeight) / scrollHeight) * 100;
}

/**
 * Reports the user's activity and the current route.
 * @param persisted returns the session in this browser's storage
 * @returns a function that stops the reports
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
    // At the top of the page the user has not scrolled. The browser itself scrolls there when a shorter page, such as
    // the loading screen, replaces the current one.
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

/** The pattern of the current route; "" before there is a route. */
export function shownPattern(router: PageRouter): string {
  const match = router.state.matches.at(-1);
  return match === undefined ? "" : routePattern(match.fullPath);
}

/** Reports changes of the route. Only a changed path counts, not search parameters or dialogs. */
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
