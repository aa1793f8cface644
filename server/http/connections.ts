import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { clientAddress, networkOf } from "./client-address.ts";

/** Timeouts and the number of connections. Tests shorten them. */
export interface ConnectionTimes {
  /** The ms for all headers of a request. */
  headersMs: number;
  /** The ms for a body of any size; after that it must arrive at this many bytes per second on average. */
  bodyMs: number;
  bytesPerSecond: number;
  /** The ms between checks of the time limits. */
  pollMs: number;
  /** Connections idle in both directions for this long are closed (milliseconds). */
  silentMs: number;
  perNetwork: number;
  /** The ms for responses in progress when the server stops. */
  graceMs: number;
}

/**
 * Tolerates the slowest links used for files (GPRS: 4 kB per second), but not a byte per second (Slowloris). An office
 * behind one address has a few connections for each open page.
 */
export const connectionTimes: ConnectionTimes = {
  headersMs: 20_000,
  bodyMs: 30_000,
  bytesPerSecond: 1_000,
  pollMs: 5_000,
  silentMs: 5 * 60_000,
  perNetwork: 512,
  graceMs: 3_000,
};

/** Node's own response to late headers. */
const late = "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";

/**
 * Ends requests with a slow body: it must be complete in `bodyMs`, or arrive at `bytesPerSecond`. Time does not count
 * while the request waits in a queue and the server does not read. Node itself handles slow headers and idle
 * connections.
 */
export function endSlowRequests(server: Server, times: ConnectionTimes): void {
  const arriving = new Map<IncomingMessage, { since: number; bytesBefore: number }>();
  const begin = (incoming: IncomingMessage) =>
    arriving.set(incoming, { since: performance.now(), bytesBefore: incoming.socket.bytesRead });
  server.on("request", (incoming: IncomingMessage, outgoing: ServerResponse) => {
    if (incoming.complete) return;
    begin(incoming);
    const untrack = () => arriving.delete(incoming);
    incoming.once("end", untrack);
    incoming.once("close", untrack);
    outgoing.once("close", untrack);
  });
  const checks = setInterval(() => {
    for (const [incoming, { since, bytesBefore }] of arriving) {
      const { socket, complete, readableLength } = incoming;
      const allowedMs = times.bodyMs + ((socket.bytesRead - bytesBefore) * 1000) / times.bytesPerSecond;
      if (readableLength > 0) begin(incoming);
      else if (!complete && performance.now() - since > allowedMs) end(socket);
      if (complete || socket.destroyed) arriving.delete(incoming);
    }
  }, times.pollMs);
  checks.unref();
  server.once("close", () => clearInterval(checks));
}

/** Nothing may be written into a response that has started. */
function end(socket: Socket): void {
  if (socket.bytesWritten === 0 && socket.writable) socket.end(late);
  else socket.destroy();
}

/**
 * Closes connections beyond `perNetwork` from one network. Behind a proxy all have the same address, so the proxy must
 * limit them.
 */
export function limitConnections(server: Server, times: ConnectionTimes): void {
  const counts = new Map<string, number>();
  server.on("connection", (socket: Socket) => {
    const address = clientAddress(socket.remoteAddress, undefined, 0);
    // The connection has ended already.
    if (address === undefined) return;
    const network = networkOf(address);
    const count = (counts.get(network) ?? 0) + 1;
    if (count > times.perNetwork) return void socket.destroy();
    counts.set(network, count);
    socket.once("close", () => {
      const left = (counts.get(network) ?? 1) - 1;
      if (left === 0) counts.delete(network);
      else counts.set(network, left);
    });
  });
}
