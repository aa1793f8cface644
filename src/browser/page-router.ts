import type { RegisteredRouter } from "@tanstack/react-router";

/** The router that src/router.ts makes and registers, with the addresses of all pages. */
export type PageRouter = RegisteredRouter;

let current: PageRouter | undefined;

/** Tells the parts that are loaded later, outside React, which router the page has. */
export function setPageRouter(router: PageRouter): void {
  current = router;
}

/** @throws Error before the page has started */
export function pageRouter(): PageRouter {
  if (current === undefined) throw new Error("No router yet");
  return current;
}
