import ipaddr from "ipaddr.js";
import type { TrustedProxies } from "./client-address.ts";

/** Whether this is an address of the machine itself (127.0.0.0/8, ::1, or the first as IPv6 writes it). */
export function isLoopbackAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === "loopback";
}

/** Whether a host's name, as it stands in a URL (IPv6 in brackets), means the machine itself wherever it is looked up. */
export function isLoopbackHost(hostname: string): boolean {
  return hostname === "localhost" || isLoopbackAddress(hostname.replace(/^\[|\]$/g, ""));
}

/** What says who can reach the server. */
export interface ReachConfig {
  host: string;
  publicUrl: string | undefined;
  apiUrl: string | undefined;
  trustProxy: TrustedProxies;
}

/**
 * Whether the server is meant for who sits at the machine and for nobody else: it listens on the machine's own address alone, has no
 * public one, and no proxy stands in front that it knows of.
 */
export function isLocalOnly({ host, publicUrl, apiUrl, trustProxy }: ReachConfig): boolean {
  const isLocal = (url: string | undefined) => url === undefined || isLoopbackHost(new URL(url).hostname);
  return isLoopbackHost(host) && isLocal(publicUrl) && isLocal(apiUrl) && trustProxy === 0;
}
