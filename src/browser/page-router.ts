import type { PageRouter } from "#src/router.ts";

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
