import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createSecureServer } from "node:https";
import { createServer as createTcpServer, type Server, type Socket } from "node:net";
import * as v from "valibot";
import { onTestFinished } from "vitest";

/** A foreign server on a port of 127.0.0.1. */
export interface Media {
  port: number;
  /** The received requests, in order. */
  asked: IncomingMessage[];
}

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

const Address = v.object({ port: v.number() });

async function open(server: Server, asked: IncomingMessage[]): Promise<Media> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => {});
    socket.once("close", () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  const { port } = v.parse(Address, server.address());
  return { port, asked };
}

/** @param answers by path, without the query; other paths answer 404 */
export function openMedia(answers: Record<string, Answer>, secure?: { key: Buffer; cert: Buffer }): Promise<Media> {
  const asked: IncomingMessage[] = [];
  const listener: Answer = (request, response) => {
    asked.push(request);
    const answer = answers[(request.url ?? "").split("?")[0] ?? ""];
    if (answer === undefined) response.writeHead(404).end("not here");
    else answer(request, response);
  };
  return open(secure === undefined ? createServer(listener) : createSecureServer(secure, listener), asked);
}

/** Accepts connections and passes them to the caller, but sends nothing itself. */
export function openSilence(onConnection: (socket: Socket) => void = () => {}): Promise<Media> {
  return open(createTcpServer(onConnection), []);
}

export const sending =
  (body: string | Uint8Array, headers: Record<string, string> = {}): Answer =>
  (_request, response) => {
    response.writeHead(200, { "Content-Length": String(Buffer.byteLength(body)), ...headers }).end(body);
  };

export const leadingTo =
  (location: string, status = 302): Answer =>
  (_request, response) => {
    response.writeHead(status, { Location: location }).end();
  };
