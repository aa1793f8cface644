import type { RegisteredRouter } from "@tanstack/react-router";

/** The type of the router that src/router.ts creates and registers, with all routes. */
export type PageRouter = RegisteredRouter;

let current: PageRouter | undefined;

/** Provides the page's router to lazily loaded code outside of React. */
export function setPageRouter(router: PageRouter): void {
  current = router;
}

/** @throws Error before the page has started */
export function pageRouter(): PageRouter {
  if (current === undefined) throw new Error("No router yet");
  return current;
}
