import * as v from "valibot";
import { parseTrustedProxies } from "#server/http/client-address.ts";
import { isLoopbackHost } from "#server/http/loopback.ts";
import { isSchedule } from "#server/scheduled-posting/cron.ts";
import { minSecret } from "#server/session/signing-keys.ts";

// Validation of variables; each message follows the name and value ("PORT: "x" is not a whole number.").

export const Whole = v.pipe(v.string(), v.regex(/^\d{1,9}$/, "must be a whole number"), v.transform(Number));
export const Port = v.pipe(Whole, v.maxValue(65_535, "must be a port (0 to 65535; 0 for any free port)"));
export const Positive = v.pipe(Whole, v.minValue(1, "must be 1 or more"));
export const Text = v.pipe(v.string(), v.maxLength(4096, "is longer than 4096 characters"));
export const HttpUrl = v.pipe(
  Text,
  v.check((text) => /^https?:$/.test(parseUrl(text)?.protocol ?? ""), "must be an http(s) address such as https://example.org"),
  v.transform((text) => text.replace(/\/+$/, "")),
);
export const Origin = v.pipe(
  HttpUrl,
  v.check((text) => parseUrl(text)?.origin === text, "must be an origin without a path, such as https://parlance.example.org"),
);
/** An OpenID Connect issuer, verbatim: a trailing slash is significant. */
export const Issuer = v.pipe(
  Text,
  v.check((text) => {
    const url = parseUrl(text);
    return url !== undefined && isProtected(url) && url.search === "" && url.hash === "";
  }, "must be an https address without a query, such as https://accounts.google.com (http only for localhost)"),
);
export const SmtpUrl = v.pipe(
  Text,
  v.check((text) => /^smtps?:$/.test(parseUrl(text)?.protocol ?? ""), "must be an address such as smtp://mail.example.org:587"),
);
export const PostgresUrl = v.pipe(
  Text,
  v.check((text) => {
    const url = parseUrl(text);
    return url !== undefined && /^postgres(ql)?:$/.test(url.protocol) && url.pathname.length > 1;
  }, "must be an address such as postgres://user:password@db.example.org:5432/parlance"),
);
export const TrustedProxies = v.pipe(
  Text,
  v.transform(parseTrustedProxies),
  v.check(
    (proxies) => proxies !== undefined,
    "must be the number of reverse proxies in front (0 to 9), or their addresses separated by commas, such as 10.0.0.0/8",
  ),
  v.transform((proxies) => proxies ?? 0),
);
/**
 * A list separated by commas, or one secret with commas from before lists were supported, if one of its parts would be
 * too short.
 */
function listedSecrets(text: string): string[] {
  const parts = listed(text);
  return text.length >= minSecret && parts.every(({ length }) => length < minSecret) ? [text] : parts;
}
export const Secrets = v.pipe(
  Text,
  v.transform(listedSecrets),
  v.check(
    (secrets) => secrets.length > 0 && secrets.every(({ length }) => length >= minSecret),
    `must have at least ${minSecret} characters (each one, if several are separated by commas)`,
  ),
);
export const HostList = v.pipe(
  Text,
  v.check(
    (text) => listed(text).every((host) => parseUrl(`http://${host}`)?.host !== undefined && /:\d{1,5}$/.test(host)),
    "must be host:port, or several separated by commas, such as media.intranet:8080",
  ),
  v.transform((text) => new Set(listed(text).map((host) => host.toLowerCase()))),
);
export const CronExpression = v.pipe(Text, v.check(isSchedule, "must be a valid cron expression of five parts"));
export const BlogLanguage = v.pipe(Text, v.regex(/^[a-z]{2,3}(-[A-Za-z]{2,4})?$/, "must be a language code"));
export const Switch = v.pipe(
  v.picklist(["0", "1"], "must be 0 or 1"),
  v.transform((text) => text === "1"),
);

/** A variable that may be left out. */
export const setting = <Schema extends v.GenericSchema<string, unknown>>(schema: Schema, meaning: string) =>
  v.pipe(v.optional(schema), v.description(meaning));

/** A variable with a default. */
export const settingOr = <Schema extends v.GenericSchema<string, unknown>>(
  schema: Schema,
  fallback: v.InferInput<Schema>,
  meaning: string,
) => v.pipe(v.optional(schema, fallback), v.description(meaning));

export type ValuesOf<Variables extends v.ObjectEntries> = v.InferOutput<v.ObjectSchema<Variables, undefined>>;

/** An invalid environment; `message` has a line for each variable. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";
}

/** @param sentence the problem */
export function refuse(sentence: string): never {
  throw new ConfigError(sentence);
}

export function listed(text: string): string[] {
  return text.split(",").flatMap((part) => part.trim() || []);
}

export function parseUrl(text: string): URL | undefined {
  return URL.canParse(text) ? new URL(text) : undefined;
}

/** Whether the connection is confidential: https or loopback, and no password in the URL. */
export function isProtected(url: URL): boolean {
  if (url.username !== "" || url.password !== "") return false;
  return url.protocol === "https:" || (url.protocol === "http:" && isLoopbackHost(url.hostname));
}
