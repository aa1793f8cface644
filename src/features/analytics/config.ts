const told = (name: string) => document.querySelector<HTMLMetaElement>(`meta[name="parlance-${name}"]`)?.content;

/** The script that measures, as the page server has named it (server/page/analytics.ts); undefined: nothing is measured. */
export const analyticsTag = (): string | undefined => told("analytics");
/** Who says where a visitor is; undefined: nobody is asked. */
export const analyticsLookup = (): string | undefined => told("geolocation");
