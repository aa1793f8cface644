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
 * Whether only this machine can reach the server: it listens on loopback, has no public URL, and no proxy is configured.
 */
export function isLocalOnly({ host, publicUrl, apiUrl, trustProxy }: ReachConfig): boolean {
  const isLocal = (url: string | undefined) => url === undefined || isLoopbackHost(new URL(url).hostname);
  return isLoopbackHost(host) && isLocal(publicUrl) && isLocal(apiUrl) && trustProxy === 0;
}
