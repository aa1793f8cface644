import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { clientAddress, networkOf } from "./client-address.ts";

/** How long a connection may take, and how many there may be. Tests make it shorter. */
export interface ConnectionTimes {
  /** For all headers of a request (milliseconds). */
  headersMs: number;
  /** For a body, however small (milliseconds); a larger one goes on for as long as it comes with so many bytes a second on average. */
  bodyMs: number;
  bytesPerSecond: number;
  /** How often time limits are checked (milliseconds). */
  pollMs: number;
  /** Without a byte in either direction: whoever is there has gone away (milliseconds). */
  silentMs: number;
  /** Connections from one network at once. */
  perNetwork: number;
}

/**
 * The slowest lines that a file is sent over (GPRS: 4 kB a second) are spared; somebody who sends a byte a second is not. An office behind
 * one address has a few connections for each page that is open.
 */
export const connectionTimes: ConnectionTimes = {
  headersMs: 20_000,
  bodyMs: 30_000,
  bytesPerSecond: 1_000,
  pollMs: 5_000,
  silentMs: 5 * 60_000,
  perNetwork: 512,
};

/** What Node answers by itself to headers that come too late. */
const late = "HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";

/**
 * Ends requests whose body does not come: all of it in `bodyMs`, or as fast as `bytesPerSecond`. What the server itself is slow to read
 * has been sent before, and counts. Headers and silence are Node's to watch.
 */
export function endSlowRequests(server: Server, times: ConnectionTimes): void {
  const arriving = new Map<IncomingMessage, { since: number; bytesBefore: number }>();
  server.on("request", (incoming: IncomingMessage, outgoing: ServerResponse) => {
    if (incoming.complete) return;
    arriving.set(incoming, { since: performance.now(), bytesBefore: incoming.socket.bytesRead });
    const forget = () => arriving.delete(incoming);
    incoming.once("end", forget);
    incoming.once("close", forget);
    outgoing.once("close", forget);
  });
  const checks = setInterval(() => {
    for (const [incoming, { since, bytesBefore }] of arriving) {
      const { socket, complete } = incoming;
      const allowedMs = times.bodyMs + ((socket.bytesRead - bytesBefore) * 1000) / times.bytesPerSecond;
      if (!complete && performance.now() - since > allowedMs) end(socket);
      if (complete || socket.destroyed) arriving.delete(incoming);
    }
  }, times.pollMs);
  checks.unref();
  server.once("close", () => clearInterval(checks));
}

/** An answer that has begun is not to be written into. */
function end(socket: Socket): void {
  if (socket.bytesWritten === 0 && socket.writable) socket.end(late);
  else socket.destroy();
}

/**
 * Closes connections beyond `perNetwork` from one network. Behind a proxy all come from one address: there it is the proxy's affair.
 */
export function limitConnections(server: Server, times: ConnectionTimes): void {
  const counts = new Map<string, number>();
  server.on("connection", (socket: Socket) => {
    const address = clientAddress(socket.remoteAddress, undefined, 0);
    // It has ended already.
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
