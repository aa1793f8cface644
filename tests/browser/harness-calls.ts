import type { CDPSession, Page } from "playwright-core";

// Calls of the API, answered by the test. `page.route` does the same, but switches the browser's cache off for all that the page loads:
// each document would fetch and compile every script anew.

/** What a call is answered with. */
export interface CallAnswer {
  status?: number;
  json?: unknown;
  contentType?: string;
  body?: string;
}

/** A call that waits for its answer; Playwright's `Route` is one, too. */
export interface Call {
  request(): { url(): string; headers(): Record<string, string> };
  fulfill(answer: CallAnswer): Promise<void>;
  /** As if there were no network. */
  abort(): Promise<void>;
  /** Lets the server answer. */
  continue(): Promise<void>;
}

/**
 * From now on the page's calls of this address are answered by `answer`.
 * @param pattern of the whole address: `*` stands for anything, `\\?` for a question mark
 * @returns how that ends; calls that wait then reach the server
 */
export async function onCalls(page: Page, pattern: string, answer: (call: Call) => unknown): Promise<() => Promise<void>> {
  const devtools = await page.context().newCDPSession(page);
  devtools.on("Fetch.requestPaused", (paused) => {
    if (paused.request.method === "OPTIONS") void permit(devtools, paused);
    else answer(callOf(devtools, paused));
  });
  await devtools.send("Fetch.enable", { patterns: [{ urlPattern: pattern }] });
  return () => devtools.detach();
}

/** Part of the devtools' `Fetch.requestPaused`. */
interface Paused {
  requestId: string;
  request: { url: string; method: string; headers: Record<string, string> };
}

function callOf(devtools: CDPSession, { requestId, request }: Paused): Call {
  return {
    request: () => ({ url: () => request.url, headers: () => request.headers }),
    fulfill: ({ status = 200, json, contentType = "application/json", body = JSON.stringify(json) ?? "" }) => {
      const headers = { ...permissionOf(request), "content-type": contentType };
      const answer = { requestId, responseCode: status, responseHeaders: listOf(headers), body: encode(body) };
      return unlessGone(devtools.send("Fetch.fulfillRequest", answer));
    },
    abort: () => unlessGone(devtools.send("Fetch.failRequest", { requestId, errorReason: "Failed" })),
    continue: () => unlessGone(devtools.send("Fetch.continueRequest", { requestId })),
  };
}

/** The API is of another origin: the browser asks first whether the page may call it. */
function permit(devtools: CDPSession, { requestId, request }: Paused): Promise<void> {
  const headers = {
    ...permissionOf(request),
    "access-control-allow-methods": "GET, POST, PUT, PATCH, DELETE",
    "access-control-allow-headers": headerOf(request, "access-control-request-headers"),
  };
  return unlessGone(devtools.send("Fetch.fulfillRequest", { requestId, responseCode: 204, responseHeaders: listOf(headers) }));
}

const permissionOf = (request: Paused["request"]) => ({
  "access-control-allow-origin": headerOf(request, "origin"),
  "access-control-allow-credentials": "true",
});

const headerOf = ({ headers }: Paused["request"], wanted: string): string =>
  Object.entries(headers).find(([name]) => name.toLowerCase() === wanted)?.[1] ?? "*";

const listOf = (headers: Record<string, string>) => Object.entries(headers).map(([name, value]) => ({ name, value }));
const encode = (text: string) => Buffer.from(text).toString("base64");

/** A page that has gone elsewhere meanwhile, or does not want the answer any more, has taken its call with it. */
async function unlessGone(sent: Promise<unknown>): Promise<void> {
  try {
    await sent;
  } catch (error) {
    if (!String(error).includes("Invalid InterceptionId")) throw error;
  }
}
