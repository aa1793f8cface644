export interface AnalyticsConfig {
  tagUrl: string;
  geolocationUrl: string | undefined;
  /** Sources of a content security policy, besides the origins of the two. */
  connectOrigins: readonly string[];
}

/** The sources that the content security policy has to allow. */
export function analyticsSources({ tagUrl, geolocationUrl, connectOrigins }: AnalyticsConfig): {
  script: string;
  connect: readonly string[];
} {
  const script = new URL(tagUrl).origin;
  const lookup = geolocationUrl === undefined ? [] : [new URL(geolocationUrl).origin];
  return { script, connect: [...new Set([script, ...lookup, ...connectOrigins])] };
}

/** The values by the names of their `<meta name="parlance-…">`. */
export const analyticsFacts = (analytics: AnalyticsConfig | undefined): { analytics?: string } =>
  analytics === undefined ? {} : { analytics: analytics.tagUrl };

/** Adds the analytics configuration to index.html (read by src/features/analytics/config.ts); unchanged without one. */
export function withAnalytics(html: string, analytics: AnalyticsConfig | undefined): string {
  if (analytics === undefined) return html;
  const metas = [meta("parlance-analytics", analytics.tagUrl)];
  if (analytics.geolocationUrl !== undefined) metas.push(meta("parlance-geolocation", analytics.geolocationUrl));
  return html.replace(/<meta name="parlance-api"/, (api) => metas.join("") + api);
}

/** @param url as `URL` writes it: no quotation marks in it */
const meta = (name: string, url: string) => `<meta name="${name}" content="${url.replaceAll("&", "&amp;")}" />`;
