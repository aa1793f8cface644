import { pageFact } from "#src/browser/server-rendered.ts";

/** The analytics script's URL, from the page server (server/page/analytics.ts); undefined: no analytics. */
export const analyticsTag = (): string | undefined => pageFact("analytics");
/** The URL of the geolocation lookup; undefined: no lookup. */
export const analyticsLookup = (): string | undefined => pageFact("geolocation");
