import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { unlessAborted } from "#server/threads/unless-aborted.ts";
import { FetchProblem, fetchError } from "./fetch-problem.ts";
import type { Proxies } from "./proxies.ts";

export interface Address {
  address: string;
  family: 4 | 6;
}

/** Resolves a host name. @throws when it does not exist */
export type Resolve = (hostname: string) => Promise<readonly { address: string }[]>;

/** Uses the system's resolver (hosts file, DNS). */
export const resolveBySystem: Resolve = (hostname) => lookup(hostname, { all: true, verbatim: true });

/** The allocated public IPv6 range; addresses outside it embed other addresses or have no use. */
const publicIpv6 = ipaddr.IPv6.parseCIDR("2000::/3");

/**
 * Whether an address is public: not private, loopback, link-local, shared (100.64/10), documentation, multicast or
 * reserved, and without an embedded IPv4 address (mapped, 6to4, NAT64, Teredo), which could be any of those.
 */
export function isPublic(address: string): boolean {
  if (isIP(address) === 0) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== "unicast") return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(publicIpv6);
}

/** Exceptions to the SSRF checks: "host:port" of private servers, as in FETCH_ALLOW_HOSTS. */
type AllowedHosts = ReadonlySet<string>;

/** Whom a request may reach (SSRF protection), how, and how long that may take. */
export interface UrlPolicy {
  allowed: AllowedHosts;
  /** Only allowed hosts may be reached without TLS. */
  isHttpsOnly?: boolean;
  resolve: Resolve;
  /** Default: none. What a person names is asked directly: a proxy would reach what this server must not. */
  proxies?: Proxies;
  times: RequestTimes;
}

/** Timeouts of another server, in milliseconds. */
export interface RequestTimes {
  /** ms for DNS and the connection. */
  connectMs: number;
  /** ms until the answer starts, and between two chunks of it. */
  idleMs: number;
}

/** Longest URL, in characters. */
const longest = 4096;

const refused = (why: string, url?: URL) =>
  new FetchProblem("urlRefused", `This address can't be fetched: ${why}.`, url && { url });

/**
 * Checks a URL by its text alone: http or https, no password, the default port or one from 1024 on (other services
 * listen below that, which a request could be made to talk to).
 * @param from leads to it: a relative URL is relative to that, and https never leads to http
 * @throws FetchProblem `urlRefused`
 */
export function checkUrl(text: string, { allowed, isHttpsOnly = false }: CheckedBy, from?: URL): URL {
  if (text.length > longest || !URL.canParse(text, from)) {
    throw refused("it is not an address such as https://example.org/talk.mp3", from);
  }
  const url = new URL(text, from);
  if (url.protocol !== "http:" && url.protocol !== "https:") throw refused("only http and https are allowed", url);
  if (url.protocol === "http:") {
    if (from?.protocol === "https:") throw refused("it redirects from https to http", url);
    if (isHttpsOnly && !isAllowed(url, allowed)) throw refused("it does not begin with https://", url);
  }
  if (url.username !== "" || url.password !== "") throw refused("it contains a user name or password", url);
  if (url.port !== "" && Number(url.port) < 1024 && !isAllowed(url, allowed)) {
    throw refused("its port belongs to another kind of service", url);
  }
  url.hash = "";
  return url;
}

type CheckedBy = Pick<UrlPolicy, "allowed" | "isHttpsOnly">;

/** The form of an exception. */
export function hostAndPort({ hostname, port, protocol }: URL): string {
  return `${hostname}:${port || (protocol === "https:" ? "443" : "80")}`;
}

const isAllowed = (url: URL, allowed: AllowedHosts) => allowed.has(hostAndPort(url));

/** A name, or an IP address without brackets. */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/^\[|\]$/g, "");

/**
 * Resolves a URL's host now; every returned address may be connected to.
 * @throws FetchProblem `urlRefused` if one of them is not public, `urlUnreachable` if there is none, `urlTimeout`
 */
export async function addressesOf(url: URL, policy: UrlPolicy): Promise<Address[]> {
  const host = hostOf(url);
  const found = isIP(host) === 0 ? await resolved(url, policy) : [{ address: host }];
  if (!isAllowed(url, policy.allowed) && !found.every(({ address }) => isPublic(address))) {
    throw refused("it is in a private network", url);
  }
  return found.map(({ address }) => ({ address, family: isIP(address) === 6 ? 6 : 4 }));
}

async function resolved(url: URL, { resolve, times }: UrlPolicy): Promise<readonly { address: string }[]> {
  const late = AbortSignal.timeout(times.connectMs);
  const unknown = (cause?: unknown) => new FetchProblem("urlUnreachable", "No server has this name.", { url, cause });
  try {
    const found = await unlessAborted(late, resolve(hostOf(url)));
    if (found.length > 0) return found;
  } catch (error) {
    throw late.aborted ? fetchError(error, url, late) : unknown(error);
  }
  throw unknown();
}
