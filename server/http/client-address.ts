import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = readonly [Address, number];

/**
 * The trusted reverse proxies: their number in front of the server (0: none), or their addresses. A client can add
 * anything to the left of X-Forwarded-For, so it is read from the right.
 */
export type TrustedProxies = number | readonly Network[];

/** Maximum number of proxies in a row: more are a mistake. */
const maxProxies = 9;

/**
 * @param text a number, or addresses and networks ("10.0.0.0/8") separated by commas
 * @returns undefined for anything else
 */
export function parseTrustedProxies(text: string): TrustedProxies | undefined {
  if (/^\d$/.test(text) && Number(text) <= maxProxies) return Number(text);
  const networks = text.split(",").map((part) => parseNetwork(part.trim()));
  return networks.every((network) => network !== undefined) ? networks : undefined;
}

function parseNetwork(text: string): Network | undefined {
  if (isIP(text.split("/", 1)[0] ?? "") !== 0 && ipaddr.isValidCIDR(text)) return ipaddr.parseCIDR(text);
  const address = parseAddress(text);
  return address && [address, address.kind() === "ipv4" ? 32 : 128];
}

/**
 * The client's address.
 * @param socket the connection's remote address
 * @param forwarded X-Forwarded-For: each proxy appends the address of its caller
 * @returns the rightmost address that is not a trusted proxy's; undefined if there is none
 */
export function clientAddress(
  socket: string | undefined,
  forwarded: string | undefined,
  trusted: TrustedProxies,
): Address | undefined {
  const chain = [socket, ...(forwarded?.split(",").toReversed() ?? [])];
  let client: Address | undefined;
  for (const [proxiesBefore, text] of chain.entries()) {
    const address = parseAddress(text?.trim() ?? "");
    // No trusted proxy adds an invalid address, and nothing to the left of one can be trusted.
    if (address === undefined) break;
    client = address;
    if (!isTrusted(address, proxiesBefore, trusted)) break;
  }
  return client;
}

/**
 * Whether the peer of the connection is a trusted proxy.
 * @param socket the connection's remote address
 */
export function isTrustedPeer(socket: string | undefined, trusted: TrustedProxies): boolean {
  const address = parseAddress(socket ?? "");
  return address !== undefined && isTrusted(address, 0, trusted);
}

function isTrusted(address: Address, proxiesBefore: number, trusted: TrustedProxies): boolean {
  if (typeof trusted === "number") return proxiesBefore < trusted;
  return trusted.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
}

/**
 * The key for rate limits: an IPv4 address, also when written as IPv6, or the /64 of an IPv6 address, which belongs to
 * one customer of a provider.
 */
export function networkOf(address: Address): string {
  if (address instanceof ipaddr.IPv4) return address.toString();
  return `${address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(":")}::/64`;
}

/** With or without a port; converts IPv4-mapped IPv6 (::ffff:0:0/96) and NAT64 (64:ff9b::/96) to IPv4. */
function parseAddress(text: string): Address | undefined {
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  // Stricter than the library, which accepts 10 as an address.
  if (isIP(bare) === 0) return undefined;
  const address = ipaddr.parse(bare);
  if (address instanceof ipaddr.IPv4) return address;
  const carriesIpv4 = address.isIPv4MappedAddress() || address.range() === "rfc6052";
  return carriesIpv4 ? new ipaddr.IPv4(address.toByteArray().slice(12)) : address;
}
