import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Network = readonly [Address, number];

/**
 * Which reverse proxies are believed when they say whom they speak for: how many stand in a row in front of the server (0: none), or
 * their addresses. A client can add whatever it likes to the left of X-Forwarded-For, so it is read from the right.
 */
export type TrustedProxies = number | readonly Network[];

/** How many stand in a row at most: more are a mistake. */
const maxProxies = 9;

/** @param text a number, or addresses and networks ("10.0.0.0/8") with commas between @returns undefined for anything else */
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
 * Who has sent a request.
 * @param socket the address that the connection comes from
 * @param forwarded X-Forwarded-For: each proxy has added the address that it was called from at the right
 * @returns the rightmost address that no trusted proxy has; undefined when there is none
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
    // Whatever stands to the left of what is no address was not added by a proxy that knows what it does.
    if (address === undefined) break;
    client = address;
    if (!isTrusted(address, proxiesBefore, trusted)) break;
  }
  return client;
}

function isTrusted(address: Address, proxiesBefore: number, trusted: TrustedProxies): boolean {
  if (typeof trusted === "number") return proxiesBefore < trusted;
  return trusted.some(([network, bits]) => network.kind() === address.kind() && address.match(network, bits));
}

/**
 * What limits are counted by: an IPv4 address, however IPv6 writes it, or the /64 of an IPv6 address, all of which belongs to one
 * customer of a provider.
 */
export function networkOf(address: Address): string {
  if (address instanceof ipaddr.IPv4) return address.toString();
  return `${address.parts
    .slice(0, 4)
    .map((part) => part.toString(16))
    .join(":")}::/64`;
}

/** With or without a port; IPv4 that was mapped to IPv6 (::ffff:0:0/96) or is reached over NAT64 (64:ff9b::/96) as what it is. */
function parseAddress(text: string): Address | undefined {
  const bare = /^\[([^\]]+)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  // Stricter than the library, to which 10 is an address.
  if (isIP(bare) === 0) return undefined;
  const address = ipaddr.parse(bare);
  if (address instanceof ipaddr.IPv4) return address;
  const carriesIpv4 = address.isIPv4MappedAddress() || address.range() === "rfc6052";
  return carriesIpv4 ? new ipaddr.IPv4(address.toByteArray().slice(12)) : address;
}
