import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { TrustedProxies } from "./client-address.ts";
import { type ConnectionTimes, endSlowRequests, limitConnections } from "./connections.ts";
import { maxHeaderBytes } from "./limits.ts";

type Listener = (incoming: IncomingMessage, outgoing: ServerResponse) => void;

/**
 * Takes the port at once, so that a taken one is known first. Requests that come before `handle` wait for it: a page that is open while
 * the server starts again need not be told of an error.
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
      // Uploads take as long as they take, while they come: `endSlowRequests`.
      requestTimeout: 0,
      headersTimeout: times.headersMs,
      connectionsCheckingInterval: times.pollMs,
      maxHeaderSize: maxHeaderBytes,
    },
    (incoming, outgoing) => current(incoming, outgoing),
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

function addressOf(server: Server): AddressInfo {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The server does not listen on a port.");
  return address;
}

/** Lets running answers end for a moment, then cuts what is left (event streams, uploads). */
export async function stop(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const cut = setTimeout(() => server.closeAllConnections(), 500);
  await closed;
  clearTimeout(cut);
}
