import * as v from "valibot";
import type { EventParams, Place } from "#machines/analytics/rules.ts";

/** The names that gtag accepts: they begin with a letter and have at most 40 characters. */
const plainName = /^[a-z]\w{0,39}$/i;
const maxText = 100;
/** Replaces personal data. */
const hidden = "•••";

/** Patterns that are redacted from every text. */
const secrets: readonly RegExp[] = [
  /[^\s@/?#=&]+@[^\s@/?#=&]+/g, // e-mail addresses
  /\bey[\w-]{10,}(?:\.[\w-]*)*/g, // tokens
  /\b[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}\b/gi, // ids of user data
  /\b(?=\w*\d)\w{16,}\b/g, // other ids and keys
];

export function isEventName(name: string): boolean {
  return plainName.test(name);
}

function cleanText(text: string): string {
  const withoutQuery = text.replace(/[?#]\S*/g, "");
  return secrets.reduce((rest, secret) => rest.replace(secret, hidden), withoutQuery).slice(0, maxText);
}

/** Removes personal data from parameters. Keeps plain values without email addresses, tokens, ids and query strings. */
export function cleanParams(params: Readonly<Record<string, unknown>>): EventParams {
  const clean: Record<string, string | number | boolean> = {};
  for (const [name, value] of Object.entries(params)) {
    if (!isEventName(name)) continue;
    if (typeof value === "string") clean[name] = cleanText(value);
    else if (typeof value === "boolean" || (typeof value === "number" && Number.isFinite(value))) clean[name] = value;
  }
  return clean;
}

/**
 * A route without personal ids, such as "/transcription/$id".
 * @param fullPath of the router's innermost match
 */
export function routePattern(fullPath: string): string {
  return fullPath.replace(/(.)\/$/, "$1") || "/";
}

const Answer = v.record(v.string(), v.unknown());
/** The field names of various geolocation services, the preferred one first. */
const spellings = {
  country: ["country_code", "countryCode", "country_iso", "country", "country_name", "countryName"],
  region: ["region_name", "regionName", "region", "state", "stateProv"],
  city: ["city"],
};

/**
 * The location in the answer of a geolocation service (ipapi.co, ipwho.is, geojs, ip-api, ipinfo and similar ones).
 * @throws Error when the answer has no country (some services refuse with status 200)
 */
export function placeOf(answer: unknown): Place {
  const location = v.parse(Answer, answer);
  const first = (names: readonly string[]) => {
    const texts = names.map((name) => location[name]).filter((value) => typeof value === "string");
    return cleanText(texts.find((text) => text.trim() !== "")?.trim() ?? "");
  };
  const country = first(spellings.country);
  if (country === "") throw new Error("The lookup names no country.");
  return { country, region: first(spellings.region), city: first(spellings.city) };
}

/**
 * Looks up the visitor's location.
 * @throws when the service does not answer, or its answer has no location
 */
export async function askPlace(url: string, signal: AbortSignal): Promise<Place> {
  const answer = await fetch(url, { signal, credentials: "omit", referrerPolicy: "strict-origin" });
  if (!answer.ok) throw new Error(`The lookup answered ${answer.status}.`);
  return placeOf(await answer.json());
}
