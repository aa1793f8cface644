import * as v from "valibot";
import type { AnalyticsConfig } from "#server/page/analytics.ts";
import { isProtected, listed, parseUrl, refuse, setting, settingOr, Text, type ValuesOf } from "./values.ts";

/** A URL of a script that runs in the page, or of a request about a visitor: https (or loopback) only. */
const ProtectedUrl = (example: string) =>
  v.pipe(
    Text,
    v.check((text) => {
      const url = parseUrl(text);
      return url !== undefined && isProtected(url) && url.hash === "";
    }, `must be an https address such as ${example} (http only for localhost)`),
    // Serialized as in a browser, because the page compares URLs. Escapes characters that could end an HTML attribute.
    v.transform((text) => new URL(text).href.replaceAll("'", "%27")),
  );

/** Source expressions of a content security policy; a host may begin with "*." */
const SourceList = v.pipe(
  Text,
  v.check(
    (text) => listed(text).every(isSource),
    "must be https origins separated by commas, such as https://*.google-analytics.com (http only for localhost)",
  ),
  v.transform(listed),
);

function isSource(text: string): boolean {
  const plain = text.replace(/^https:\/\/\*\.(?=[^.]+\.)/, "https://");
  const url = parseUrl(plain);
  return url !== undefined && url.origin === plain && !plain.includes("*") && isProtected(url);
}

export const analyticsVariables = {
  ANALYTICS_TAG_URL: setting(
    ProtectedUrl("https://www.googletagmanager.com/gtag/js?id=G-XXXXXXX"),
    "The analytics script. It is loaded only for visitors who agree. Default: no analytics.",
  ),
  ANALYTICS_CONNECT_ORIGINS: settingOr(
    SourceList,
    "",
    "Other origins to which this script sends data, such as https://*.google-analytics.com for gtag.",
  ),
  GEOLOCATION_URL: setting(
    ProtectedUrl("https://get.geojs.io/v1/ip/geo.json"),
    "A service that answers with the visitor's country and city as JSON. It is called once per session, only for visitors who agree.",
  ),
};

/** @returns undefined when analytics are off @throws ConfigError for a variable that has no effect then */
export function analyticsOf(e: ValuesOf<typeof analyticsVariables>): AnalyticsConfig | undefined {
  const { ANALYTICS_TAG_URL: tagUrl, GEOLOCATION_URL: geolocationUrl, ANALYTICS_CONNECT_ORIGINS: connectOrigins } = e;
  if (tagUrl !== undefined) return { tagUrl, geolocationUrl, connectOrigins };
  const useless = geolocationUrl !== undefined ? "GEOLOCATION_URL" : "ANALYTICS_CONNECT_ORIGINS";
  if (geolocationUrl === undefined && connectOrigins.length === 0) return undefined;
  return refuse(`ANALYTICS_TAG_URL: is missing, and ${useless} needs it.`);
}
