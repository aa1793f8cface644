import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { Problem } from "#server/common/problem.ts";

/** An address that a name stands for. */
export interface Address {
  address: string;
  family: 4 | 6;
}

/** What a name stands for. @throws when there is no such name */
export type Resolve = (hostname: string) => Promise<readonly { address: string }[]>;

/** As the system does it (hosts file, DNS). */
export const resolveBySystem: Resolve = (hostname) => lookup(hostname, { all: true, verbatim: true });

/** All of IPv6 that is given out for the public network; what lies outside carries other addresses inside, or has no meaning. */
const publicIpv6 = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Whether an address belongs to the public network: no private, loopback, link-local, shared (100.64/10), documentation, multicast or
 * reserved one, and none that carries an IPv4 address inside (mapped, 6to4, NAT64, Teredo), which could be any of those.
 */
export function isPublic(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast") return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(publicIpv6);
}

/** Which private addresses may be fetched from all the same: "host:port", as in FETCH_ALLOW_HOSTS. */
export type AllowedHosts = ReadonlySet<string>;

/** Longest address, in characters. */
const longest = 4096;

/**
 * An address that may be fetched as far as can be seen from its text alone: http or https, without a password, on the usual port or one
 * from 1024 on (below that are other services, which a request could be made to speak to).
 * @param base of a relative one
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

/** What decides about addresses. */
export interface NameParts {
  allowed: AllowedHosts;
  resolve: Resolve;
  /** How long finding a name may take, in milliseconds. */
  times: { connectMs: number };
}

/**
 * The addresses that an URL's host stands for at this moment; every one of them may be connected to.
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
