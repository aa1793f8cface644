import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import type { Readable } from "node:stream";
import ipaddr from "ipaddr.js";
import type { Dispatcher, EnvHttpProxyAgent } from "undici";
import { InstallationProblem } from "./installation-problem.ts";
import { type Proxies, proxiesOf } from "./proxies.ts";

/** Timeouts of another server, in milliseconds. */
export interface DownloadTimes {
  connectMs: number;
  /** Until the answer begins, and between two pieces of it. */
  stallMs: number;
}

export const downloadTimes: DownloadTimes = { connectMs: 15_000, stallMs: 45_000 };

const maxRedirects = 6;
const redirects: readonly number[] = [301, 302, 303, 307, 308];

export interface Answer {
  status: number;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  body: Readable;
  /** After redirects. */
  url: URL;
}

/** Loaded with the first download: most servers start many times for one. */
const loadUndici = () => import("undici");

/** Asks servers for models. */
export interface ModelClient {
  /**
   * Follows redirects: to https alone, and to public addresses alone, unless they stay on the operator's own mirror.
   * @throws InstallationProblem; the signal's reason
   */
  open(address: string, isMirror: boolean, headers: Record<string, string>, signal: AbortSignal): Promise<Answer>;
  close(): Promise<void>;
}

/** With the proxies of the environment (HTTPS_PROXY, HTTP_PROXY, NO_PROXY). @param env for the proxies */
export function openModelClient(times: DownloadTimes = downloadTimes, env: NodeJS.ProcessEnv = process.env): ModelClient {
  const { proxyFor, ...proxies } = proxiesOf(env);
  let opened: Dispatcher | undefined;
  const dispatcher = async () => {
    const { EnvHttpProxyAgent } = await loadUndici();
    opened ??= createDispatcher(EnvHttpProxyAgent, proxies, times);
    return opened;
  };

  const open: ModelClient["open"] = async (address, isMirror, headers, signal) => {
    const start = new URL(address);
    let url = start;
    for (let redirected = 0; redirected <= maxRedirects; redirected++) {
      if (!isMirror || url.origin !== start.origin) await requirePublic(url, proxyFor(url) !== undefined);
      const { statusCode, headers: given, body } = await ask(await dispatcher(), url, headers, signal);
      if (!redirects.includes(statusCode)) return { status: statusCode, headers: given, body, url };
      // What comes with a redirect is a page for people; the connection is not worth keeping for it.
      body.on("error", () => undefined).destroy();
      const { location } = given;
      if (typeof location !== "string" || !URL.canParse(location, url)) throw refused(url, "leads nowhere");
      url = new URL(location, url);
    }
    throw refused(start, "leads on and on");
  };
  return { open, close: async () => opened?.destroy() };
}

/** @throws InstallationProblem `unreachable` for a proxy that is no address: nothing is asked around it */
function createDispatcher(Agent: typeof EnvHttpProxyAgent, proxies: Omit<Proxies, "proxyFor">, times: DownloadTimes): Dispatcher {
  try {
    return new Agent({
      ...proxies,
      connect: { timeout: times.connectMs },
      connectTimeout: times.connectMs,
      headersTimeout: times.stallMs,
      bodyTimeout: times.stallMs,
    });
  } catch (error) {
    const detail = `HTTPS_PROXY or HTTP_PROXY can't be used: ${error instanceof Error ? error.message : String(error)}.`;
    throw new InstallationProblem("unreachable", detail, { cause: error });
  }
}

async function ask(dispatcher: Dispatcher, url: URL, headers: Record<string, string>, signal: AbortSignal) {
  const { request } = await loadUndici();
  try {
    // A compressed answer would have another size than was published.
    const sent = { "User-Agent": "Parlance", Accept: "*/*", "Accept-Encoding": "identity", ...headers };
    return await request(url, { dispatcher, headers: sent, signal });
  } catch (error) {
    throw asConnectionProblem(error, url, signal);
  }
}

/** What breaks a connection may be over a little later. */
export function asConnectionProblem(error: unknown, { host }: URL, signal: AbortSignal): unknown {
  if (signal.aborted) return signal.reason;
  if (error instanceof InstallationProblem) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new InstallationProblem("unreachable", `${host}: ${reason}`, { isPassing: true, cause: error });
}

function refused({ host, pathname }: URL, why: string): InstallationProblem {
  return new InstallationProblem("gone", `The address at ${host}${pathname} ${why}.`);
}

/**
 * Only public https addresses: nobody who answers for a model may make this server call its own network.
 * @param isProxied a proxy finds the host's address, which this machine may be unable to
 */
async function requirePublic(url: URL, isProxied: boolean): Promise<void> {
  if (url.protocol !== "https:") throw refused(url, "is no https address");
  if (url.username !== "" || url.password !== "") throw refused(url, "holds a name or a password");
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) === 0 && isProxied) return;
  const found = isIP(host) === 0 ? await addressesOf(url, host) : [host];
  if (!found.every(isPublic)) throw refused(url, "is in a private network");
}

async function addressesOf(url: URL, host: string): Promise<string[]> {
  try {
    return (await lookup(host, { all: true })).map(({ address }) => address);
  } catch (error) {
    throw new InstallationProblem("unreachable", `${url.host} can't be found.`, { isPassing: true, cause: error });
  }
}

function isPublic(address: string): boolean {
  const parsed = ipaddr.parse(address);
  return parsed.range() === "unicast";
}
