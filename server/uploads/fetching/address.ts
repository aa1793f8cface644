import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { Problem } from "#server/common/problem.ts";

/** An IP address that a host name resolves to. */
export interface Address {
  address: string;
  family: 4 | 6;
}

/** Resolves a host name. @throws when it does not exist */
export type Resolve = (hostname: string) => Promise<readonly { address: string }[]>;

/** With the system's resolver (hosts file, DNS). */
export const resolveBySystem: Resolve = (hostname) => lookup(hostname, { all: true, verbatim: true });

/** The allocated public IPv6 range; addresses outside it embed other addresses or have no use. */
const publicIpv6 = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Whether an address is public: not private, loopback, link-local, shared (100.64/10), documentation, multicast or reserved, and
 * without an embedded IPv4 address (mapped, 6to4, NAT64, Teredo), which could be any of those.
 */
export function isPublic(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast") return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(publicIpv6);
}

/** Exceptions to the SSRF checks: "host:port" of private servers, as in FETCH_ALLOW_HOSTS. */
export type AllowedHosts = ReadonlySet<string>;

/** Longest URL, in characters. */
const longest = 4096;

/**
 * Checks a URL by its text alone: http or https, no password, the default port or one from 1024 on (other services listen below
 * that, which a request could be made to talk to).
 * @param base for a relative URL
 * @throws Problem `urlRefused`
 */
export function checkUrl(text: string, allowed: AllowedHosts, base?: URL): URL {
  const refused = (why: string) => new Problem("urlRefused", `This address can't be fetched: ${why}.`);
  if (text.length > longest || !URL.canParse(text, base))
    throw refused("it is not an address such as https://example.org/talk.mp3");
  const url = new URL(text, base);
  if (url.protocol !== "http:" && url.protocol !== "https:") throw refused("only http and https addresses are");
  if (url.username !== "" || url.password !== "") throw refused("it holds a name or password");
  if (url.port !== "" && Number(url.port) < 1024 && !isAllowed(url, allowed))
    throw refused("its port is kept for other services");
  url.hash = "";
  return url;
}

export function isAllowed(url: URL, allowed: AllowedHosts): boolean {
  return allowed.has(`${url.hostname}:${url.port || (url.protocol === "https:" ? "443" : "80")}`);
}

/** The dependencies of the address check. */
export interface NameParts {
  allowed: AllowedHosts;
  resolve: Resolve;
  /** Timeout of the name lookup, in milliseconds. */
  times: { connectMs: number };
}

/**
 * Resolves a URL's host now; every address returned may be connected to.
 * @throws Problem `urlRefused` when one of them is not public, `urlUnreachable` when there is none, `urlTimeout`
 */
export async function addressesOf(url: URL, parts: NameParts): Promise<Address[]> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const found = isIP(host) === 0 ? await resolved(host, parts) : [{ address: host }];
  if (!isAllowed(url, parts.allowed) && !found.every(({ address }) => isPublic(address))) throw new Problem("urlRefused");
  return found.map(({ address }) => ({ address, family: isIP(address) === 6 ? 6 : 4 }));
}

async function resolved(host: string, { resolve, times }: NameParts): Promise<readonly { address: string }[]> {
  const late = Promise.withResolvers<never>();
  const limit = setTimeout(() => late.reject(new Problem("urlTimeout")), times.connectMs);
  try {
    const found = await Promise.race([resolve(host), late.promise]);
    if (found.length > 0) return found;
  } catch (cause) {
    throw cause instanceof Problem ? cause : new Problem("urlUnreachable", "There is no server of this name.", { cause });
  } finally {
    clearTimeout(limit);
  }
  throw new Problem("urlUnreachable", "There is no server of this name.");
}
