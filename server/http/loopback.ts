import type { IncomingMessage } from "node:http";
import ipaddr from "ipaddr.js";
import type { TrustedProxies } from "./client-address.ts";

/** Whether this is a loopback address (127.0.0.0/8, also IPv4-mapped, or ::1). */
export function isLoopbackAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === "loopback";
}

/** Whether a host name, as written in a URL (IPv6 in brackets), always means the machine itself. */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === "localhost" || isLoopbackAddress(hostname.replace(/^\[|\]$/g, ""));
}

/** The settings that decide who can reach the server. */
export interface ReachConfig {
  host: string;
  publicUrl: string | undefined;
  apiUrl: string | undefined;
  trustProxy: TrustedProxies;
}

/**
 * Whether only this machine can reach the server: it listens on loopback, has no public URL, and no proxy is
 * configured.
 */
export function isLocalOnly({ host, publicUrl, apiUrl, trustProxy }: ReachConfig): boolean {
  const isLocal = (url: string | undefined) => url === undefined || isLoopbackHost(new URL(url).hostname);
  return isLoopbackHost(host) && isLocal(publicUrl) && isLocal(apiUrl) && trustProxy === 0;
}

/** Headers that browsers and command-line clients send with every GET. */
const ownHeaders =
  /^(accept|accept-(charset|encoding|language)|authorization|cache-control|connection|cookie|dnt|host|if-(match|modified-since|none-match|range|unmodified-since)|keep-alive|origin|pragma|priority|purpose|range|referer|save-data|sec-.+|te|upgrade-insecure-requests|user-agent|x-moz)$/;

/**
 * Whether a request may have come through a proxy, which may forward anybody. Proxies name their client in headers of
 * many names (X-Forwarded-For, Via, Fly-Client-IP), so any header that no browser sends counts as a sign of one. A
 * proxy that adds none speaks HTTP/1.0, as nginx does.
 */
export function isPassedOn({ headers, httpVersion }: Pick<IncomingMessage, "headers" | "httpVersion">): boolean {
  return httpVersion === "1.0" || Object.keys(headers).some((name) => !ownHeaders.test(name));
}
