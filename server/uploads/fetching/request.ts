import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { Problem } from "#server/common/problem.ts";
import { unlessAborted } from "#server/common/unless-aborted.ts";
import { type Address, addressesOf, checkUrl, type NameParts } from "./address.ts";

/** Timeouts of a remote server, in milliseconds. */
export interface FetchTimes {
  /** For DNS and the connection. */
  connectMs: number;
  /** Until the response begins; between two chunks of it. */
  idleMs: number;
  /** For the whole fetch, redirects included. */
  wholeMs: number;
}

export const fetchTimes: FetchTimes = { connectMs: 10_000, idleMs: 30_000, wholeMs: 30 * 60_000 };

export interface UrlPolicy extends NameParts {
  times: FetchTimes;
}

/** A failed fetch. `isFinal`: a retry would fail the same way. */
export class FetchProblem extends Problem {
  readonly isFinal: boolean;
  /** The HTTP status of the server there, if that is why. */
  readonly answered: number | undefined;
  constructor(
    code: "urlUnreachable" | "urlTimeout",
    message: string,
    options: { isFinal?: boolean; answered?: number; cause?: unknown } = {},
  ) {
    super(code, message, { cause: options.cause });
    this.isFinal = options.isFinal ?? false;
    this.answered = options.answered;
  }
}

const maxRedirects = 5;
const redirects: readonly (number | undefined)[] = [301, 302, 303, 307, 308];

const fetching = {
  method: "GET",
  headers: {
    "User-Agent": "Parlance (fetches audio that one of its users asked for)",
    Accept: "audio/*, video/*, application/rss+xml, application/atom+xml, */*;q=0.5",
    // A compressed response could expand a thousandfold; media are not sent compressed anyway.
    "Accept-Encoding": "identity",
  },
};

export interface Answer {
  response: IncomingMessage;
  /** The final URL, after redirects. */
  url: URL;
}

/** A version that is known: a server that has no newer one answers 304. */
export interface KnownVersion {
  etag: string | null;
  lastModified: string | null;
}

function conditionsOf({ etag, lastModified }: KnownVersion): Record<string, string> {
  return {
    ...(etag !== null && { "If-None-Match": etag }),
    ...(lastModified !== null && { "If-Modified-Since": lastModified }),
  };
}

/**
 * Requests a URL and follows redirects, each checked again (address.ts), never from https to http. The connection goes to an IP
 * address that was checked, so a later change of the DNS answer has no effect. Sends nothing but the request: no cookies, no
 * referrer.
 * @param known with it, the answer's status may be 304; else it is 200
 * @throws Problem `urlRefused`, FetchProblem, the signal's reason
 */
export async function openUrl(start: URL, urlPolicy: UrlPolicy, signal: AbortSignal, known?: KnownVersion): Promise<Answer> {
  let url = start;
  const conditions = known === undefined ? {} : conditionsOf(known);
  const isSameAllowed = Object.keys(conditions).length > 0;
  for (let redirected = 0; redirected <= maxRedirects; redirected++) {
    const response = await ask(url, urlPolicy, signal, conditions);
    const status = response.statusCode ?? 0;
    if (status === 200 || (status === 304 && isSameAllowed)) return { response, url };
    const { location } = response.headers;
    response.destroy();
    if (!redirects.includes(status) || location === undefined) throw refusal(status);
    const next = checkUrl(location, urlPolicy.allowed, url);
    if (url.protocol === "https:" && next.protocol === "http:") {
      throw new Problem("urlRefused", "This address can't be fetched: it leads from https to http.");
    }
    url = next;
  }
  throw new FetchProblem("urlUnreachable", "This address leads on and on.", { isFinal: true });
}

/** A missing page will still be missing in a minute; a server that fails or is busy may recover. */
function refusal(status: number): FetchProblem {
  const isFinal = status < 500 && status !== 408 && status !== 429;
  return new FetchProblem("urlUnreachable", `The server there answered with status ${status}.`, { isFinal, answered: status });
}

async function ask(
  url: URL,
  urlPolicy: UrlPolicy,
  signal: AbortSignal,
  conditions: Record<string, string>,
): Promise<IncomingMessage> {
  const late = new AbortController();
  const give = (ms: number) =>
    setTimeout(() => late.abort(new FetchProblem("urlTimeout", "The server there takes too long.")), ms);
  let limit = give(urlPolicy.times.connectMs);
  const either = AbortSignal.any([signal, late.signal]);
  try {
    const addresses = await unlessAborted(either, addressesOf(url, urlPolicy));
    const onConnect = () => {
      clearTimeout(limit);
      limit = give(urlPolicy.times.idleMs);
    };
    const outgoing = { ...fetching, headers: { ...fetching.headers, ...conditions } };
    return await send(url, addresses, outgoing, { signal: either, onConnect });
  } catch (error) {
    either.throwIfAborted();
    throw asFetchProblem(error);
  } finally {
    clearTimeout(limit);
  }
}

/** What is sent to a remote server. */
export interface Outgoing {
  method: string;
  headers: Record<string, string>;
  body?: string;
}

/**
 * Sends a request to a host's checked addresses, and to no other, without following redirects.
 * @param onConnect called once the server there is connected to
 * @throws the network's error, the signal's reason
 */
export function send(
  url: URL,
  addresses: readonly Address[],
  { method, headers, body }: Outgoing,
  { signal, onConnect }: { signal: AbortSignal; onConnect?: () => void },
): Promise<IncomingMessage> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const options = {
    host,
    port: url.port || undefined,
    path: url.pathname + url.search,
    method,
    headers,
    signal,
    // A new connection, to the checked addresses only, never one kept alive by an earlier request.
    agent: false,
    lookup: lookupOf(addresses),
    maxHeaderSize: 32 * 1024,
  };
  const secure = url.protocol === "https:";
  return new Promise((resolve, reject) => {
    const request = secure
      ? requestHttps({ ...options, ...(isIP(host) === 0 ? { servername: host } : {}) })
      : requestHttp(options);
    if (onConnect !== undefined) {
      request.once("socket", (socket) => socket.once(secure ? "secureConnect" : "connect", onConnect));
    }
    request.once("response", (response) => {
      // The reader of the stream sees its errors; without a reader they are irrelevant.
      response.on("error", () => {});
      resolve(response);
    });
    request.on("error", reject);
    request.end(body);
  });
}

/** Replaces Node's DNS lookup: connects to the given addresses only. */
function lookupOf(addresses: readonly Address[]): LookupFunction {
  return (_host, options, answer) => {
    const [first] = addresses;
    if (options.all === true) answer(null, [...addresses]);
    else answer(null, first?.address ?? "", first?.family);
  };
}

/** Converts an error of the network or the remote server into one of ours. */
export function asFetchProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return new FetchProblem("urlUnreachable", "The connection to the server there failed.", { cause: error });
}
