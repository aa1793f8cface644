import { lazyRouteComponent } from "@tanstack/react-router";
import type { Need } from "../../../machines/access.ts";

// One chunk for all of them: a name of a chunk for each would weigh more on the first visit than the page itself.
const component = lazyRouteComponent(() => import("./upcoming.tsx"), "Upcoming");

/** The options of a route whose page is not finished. @param need where it differs from what its folder says */
export function upcoming(titleKey: string, need?: Need) {
  return { staticData: { titleKey, ...(need && { need }) }, component };
}
