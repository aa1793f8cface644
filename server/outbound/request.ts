import { isIP, type LookupFunction } from "node:net";
import type { Readable } from "node:stream";
import { addressesOf, checkUrl, hostOf, type UrlPolicy } from "./address.ts";
import { FetchProblem, fetchError } from "./fetch-problem.ts";
import { noProxies } from "./proxies.ts";

const maxRedirects = 5;
const redirects: readonly number[] = [301, 302, 303, 307, 308];
/** Maximum bytes of an answer's headers. */
const maxHeaderSize = 32 * 1024;

export interface Answer {
  status: number;
  /** The first of each name, in lower case. */
  headers: Readonly<Record<string, string | undefined>>;
  /** Read or destroy it: that ends the connection. */
  body: Readable;
  /** After redirects. */
  url: URL;
}

interface Outgoing {
  /** Default: GET. */
  method?: "GET" | "POST";
  headers: Record<string, string>;
  body?: string | null;
}

/**
 * Fetches a URL and follows redirects, each checked again. Sends only the request: no cookies, no referrer.
 * @returns the answer, of any status except a redirect with a target
 * @throws FetchProblem, the signal's reason
 */
export async function follow(
  address: string,
  policy: UrlPolicy,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<Answer> {
  let answer = await send(address, policy, { headers }, signal);
  for (let redirected = 0; redirects.includes(answer.status); redirected++) {
    const { headers: given, body, url } = answer;
    if (given.location === undefined) return answer;
    // The body of a redirect is a page for people.
    body.destroy();
    if (redirected === maxRedirects) {
      throw new FetchProblem("urlUnreachable", "This address redirects too often.", { isFinal: true, url });
    }
    answer = await send(given.location, policy, { headers }, signal, url);
  }
  return answer;
}

/**
 * Sends one request, and follows no redirect. The connection goes to an IP address that was checked, so a later
 * change of the DNS answer has no effect. Through a proxy, the proxy looks up the name, and we can't check the result.
 * @param from leads to the address
 * @throws FetchProblem, the signal's reason
 */
export async function send(
  address: string,
  policy: UrlPolicy,
  { method = "GET", headers, body = null }: Outgoing,
  signal: AbortSignal,
  from?: URL,
): Promise<Answer> {
  const url = checkUrl(address, policy, from);
  const connection = await openConnection(url, policy);
  try {
    // Node connects to an IP address without a lookup.
    if (isIP(hostOf(url)) !== 0) await addressesOf(url, policy);
    const asked = { origin: url.origin, path: url.pathname + url.search, method, headers, body, signal, reset: true };
    const { statusCode: status, headers: given, body: received } = await connection.request(asked);
    // The reader of the stream sees its errors; without a reader they are irrelevant.
    received.on("error", () => undefined).once("close", () => void connection.destroy());
    const first = Object.entries(given).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]);
    return { status, headers: Object.fromEntries(first), body: received, url };
  } catch (error) {
    void connection.destroy();
    throw fetchError(error, url, signal);
  }
}

/** A connection for one request: a persistent one would use an address that was checked for an earlier request. */
async function openConnection(url: URL, policy: UrlPolicy) {
  // Loaded with the first request: most servers start many times for one.
  const { EnvHttpProxyAgent } = await import("undici");
  const { connectMs, idleMs } = policy.times;
  const lookup: LookupFunction = (_host, { all }, answer) => {
    addressesOf(url, policy).then(
      ([first, ...others]) => {
        if (all === true && first !== undefined) answer(null, [first, ...others]);
        else answer(null, first?.address ?? "", first?.family);
      },
      (error) => answer(error, ""),
    );
  };
  return new EnvHttpProxyAgent({
    ...(policy.proxies ?? noProxies),
    connect: { lookup, timeout: connectMs },
    connectTimeout: connectMs,
    headersTimeout: idleMs,
    bodyTimeout: idleMs,
    maxHeaderSize,
    allowH2: false,
  });
}
