const contentOf = (name: string) => document.querySelector<HTMLMetaElement>(`meta[name="parlance-${name}"]`)?.content;

/** The analytics script's URL, from the page server (server/page/analytics.ts); undefined: no analytics. */
export const analyticsTag = (): string | undefined => contentOf("analytics");
/** The URL of the geolocation lookup; undefined: no lookup. */
export const analyticsLookup = (): string | undefined => contentOf("geolocation");
