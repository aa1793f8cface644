import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TrustedProxies } from "./client-address.ts";
import { type ConnectionTimes, endSlowRequests, limitConnections } from "./connections.ts";
import { maxHeaderBytes } from "./limits.ts";

/** The ms between checks for idle connections while the server stops. */
const idleMs = 50;

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/**
 * Listens at once, so that a used port is reported first. Requests that arrive before `handle` wait for it, so that a
 * page that is open during a restart sees no error.
 */
export async function listen(
  port: number,
  { host, trustProxy }: { host: string; trustProxy: TrustedProxies },
  times: ConnectionTimes,
): Promise<{ server: Server; port: number; handle(listener: Listener): void }> {
  const ready = Promise.withResolvers<Listener>();
  let current: Listener = (incoming, outgoing) => void ready.promise.then((listener) => listener(incoming, outgoing));
  const server = createServer(
    {
      // Uploads may take any time while data arrives: `endSlowRequests`.
      requestTimeout: 0,
      headersTimeout: times.headersMs,
      connectionsCheckingInterval: times.pollMs,
      maxHeaderSize: maxHeaderBytes,
    },
    (incoming, outgoing) => {
      if (hasOneHost(incoming)) return current(incoming, outgoing);
      outgoing.writeHead(400, { Connection: "close", "Content-Length": 0 }).end();
    },
  );
  server.timeout = times.silentMs;
  endSlowRequests(server, times);
  if (trustProxy === 0) limitConnections(server, times);
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  return {
    server,
    port: addressOf(server).port,
    handle: (listener) => {
      current = listener;
      ready.resolve(listener);
    },
  };
}

/** RFC 9112, section 3.2: with two, a proxy may have meant the other one. Node refuses a request without any. */
function hasOneHost({ rawHeaders }: IncomingMessage): boolean {
  return rawHeaders.filter((text, i) => i % 2 === 0 && text.toLowerCase() === "host").length < 2;
}

function addressOf(server: Server): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server does not listen on a port.");
  return address;
}

/**
 * Accepts no new connections, gives responses in progress time to finish, then closes the remaining ones: uploads,
 * which can be resumed, and slow downloads.
 * @param graceMs ms
 */
export async function stop(server: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  // A connection whose response ends later becomes idle, too, and would be kept for the next request.
  const idle = setInterval(() => server.closeIdleConnections(), idleMs);
  const cut = setTimeout(() => server.closeAllConnections(), graceMs);
  await closed;
  clearInterval(idle);
  clearTimeout(cut);
}
