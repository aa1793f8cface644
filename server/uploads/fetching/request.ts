import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { Problem } from "#server/common/problem.ts";
import { unlessAborted } from "#server/common/unless-aborted.ts";
import { type Address, addressesOf, checkUrl, type NameParts } from "./address.ts";

/** How long somebody else's server may take, in milliseconds. */
export interface FetchTimes {
  /** To find it and to be connected with it. */
  connectMs: number;
  /** To begin its answer; between two parts of it. */
  idleMs: number;
  /** For everything, redirects included. */
  wholeMs: number;
}

export const fetchTimes: FetchTimes = { connectMs: 10_000, idleMs: 30_000, wholeMs: 30 * 60_000 };

export interface UrlPolicy extends NameParts {
  times: FetchTimes;
}

/** What could not be fetched. `isFinal`: trying again would end the same way. */
export class FetchProblem extends Problem {
  readonly isFinal: boolean;
  constructor(code: "urlUnreachable" | "urlTimeout", message: string, options: { isFinal?: boolean; cause?: unknown } = {}) {
    super(code, message, { cause: options.cause });
    this.isFinal = options.isFinal ?? false;
  }
}

const maxRedirects = 5;
const redirects: readonly (number | undefined)[] = [301, 302, 303, 307, 308];

const headers = {
  "User-Agent": "Parlance (fetches audio that one of its users asked for)",
  Accept: "audio/*, video/*, application/rss+xml, application/atom+xml, */*;q=0.5",
  // A compressed answer could be a thousand times what it seems: media are not sent like that anyway.
  "Accept-Encoding": "identity",
};

export interface Answer {
  response: IncomingMessage;
  /** Where it came from in the end. */
  url: URL;
}

/**
 * Asks for an address, and follows where it leads, each step checked anew (address.ts); from https never to http. The connection goes to an
 * address that was checked: what the name stands for a moment later does not matter. Nothing but the request is sent: no cookies, no
 * referrer.
 * @throws Problem `urlRefused`, FetchProblem, the signal's reason
 */
export async function openUrl(start: URL, urlPolicy: UrlPolicy, signal: AbortSignal): Promise<Answer> {
  let url = start;
  for (let redirected = 0; redirected <= maxRedirects; redirected++) {
    const response = await ask(url, urlPolicy, signal);
    const status = response.statusCode ?? 0;
    if (status === 200) return { response, url };
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

/** A page that is not there will not be there in a minute; a server that is ill or busy may be well by then. */
function refusal(status: number): FetchProblem {
  const isFinal = status < 500 && status !== 408 && status !== 429;
  return new FetchProblem("urlUnreachable", `The server there answered with status ${status}.`, { isFinal });
}

async function ask(url: URL, urlPolicy: UrlPolicy, signal: AbortSignal): Promise<IncomingMessage> {
  const late = new AbortController();
  const give = (ms: number) =>
    setTimeout(() => late.abort(new FetchProblem("urlTimeout", "The server there takes too long.")), ms);
  let limit = give(urlPolicy.times.connectMs);
  const either = AbortSignal.any([signal, late.signal]);
  try {
    const addresses = await unlessAborted(either, addressesOf(url, urlPolicy));
    return await send(url, addresses, either, () => {
      clearTimeout(limit);
      limit = give(urlPolicy.times.idleMs);
    });
  } catch (error) {
    either.throwIfAborted();
    throw asFetchProblem(error);
  } finally {
    clearTimeout(limit);
  }
}

function send(url: URL, addresses: readonly Address[], signal: AbortSignal, onConnect: () => void): Promise<IncomingMessage> {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const options = {
    ...{ host, port: url.port || undefined, path: url.pathname + url.search, headers, signal },
    // A connection of its own, to nowhere else than what was checked, and none that another request has left open.
    ...{ agent: false, lookup: lookupOf(addresses), maxHeaderSize: 32 * 1024 },
  };
  const secure = url.protocol === "https:";
  return new Promise((resolve, reject) => {
    const request = secure
      ? requestHttps({ ...options, ...(isIP(host) === 0 ? { servername: host } : {}) })
      : requestHttp(options);
    request.once("socket", (socket) => socket.once(secure ? "secureConnect" : "connect", onConnect));
    request.once("response", (response) => {
      // Whoever reads it hears of errors by reading; when nobody does, they matter to nobody.
      response.on("error", () => {});
      resolve(response);
    });
    request.on("error", reject);
    request.end();
  });
}

/** Node asks it for every name, and connects to nothing else than what it answers. */
function lookupOf(addresses: readonly Address[]): LookupFunction {
  return (_host, options, answer) => {
    const [first] = addresses;
    if (options.all === true) answer(null, [...addresses]);
    else answer(null, first?.address ?? "", first?.family);
  };
}

/** What the network or the other server has done, as one of our own errors. */
export function asFetchProblem(error: unknown): Problem {
  if (error instanceof Problem) return error;
  return new FetchProblem("urlUnreachable", "The connection to the server there failed.", { cause: error });
}
