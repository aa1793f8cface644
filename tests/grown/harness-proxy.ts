import { EventEmitter, once } from "node:events";
import { type ClientRequest, createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";

/** A reverse proxy that gives each request, and each WebSocket, to the next server: nobody stays where they were. */
export interface RoundRobin extends AsyncDisposable {
  url: string;
  /** How many requests each server has had. */
  readonly counts: ReadonlyMap<string, number>;
  /**
   * Waits until somebody who has signed in asks one server for something: then it has been connected.
   * @param origin "http://127.0.0.1:3000" @throws Error when nobody does within a minute
   */
  untilAsked(origin: string): Promise<void>;
  close(): Promise<void>;
}

/** @param origins of the servers that run now ("http://127.0.0.1:3000") */
export async function startRoundRobin(origins: () => readonly string[]): Promise<RoundRobin> {
  const counts = new Map<string, number>();
  const asked = new EventEmitter();
  let turn = 0;
  const next = (): URL | undefined => {
    const running = origins();
    const origin = running[turn++ % Math.max(1, running.length)];
    if (origin === undefined) return undefined;
    counts.set(origin, (counts.get(origin) ?? 0) + 1);
    return new URL(origin);
  };
  const server = createServer((incoming, outgoing) => pass(incoming, outgoing, { next, asked }));
  server.on("upgrade", (incoming, socket: Socket, head) => tunnel(incoming, socket, head, next()));
  // As a browser reaches it: by the name localhost.
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://localhost:${portOf(server)}`;
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  };
  const untilAsked = async (origin: string) => {
    await once(asked, origin, { signal: AbortSignal.timeout(askMs) });
  };
  return { url, counts, untilAsked, close, [Symbol.asyncDispose]: close };
}

/** As long as people may take to ask for the next thing (milliseconds). */
const askMs = 60_000;

interface Passing {
  next(): URL | undefined;
  /** Is told the origin of a server that somebody's request has reached. */
  asked: EventEmitter;
}

function portOf(server: Server): number {
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The proxy listens nowhere.");
  return address.port;
}

/** What a proxy says of its client. */
function forwarded({ headers, socket }: IncomingMessage): Record<string, string | string[] | undefined> {
  const before = headers["x-forwarded-for"];
  return { ...headers, "x-forwarded-for": [before ?? [], socket.remoteAddress ?? ""].flat().join(", ") };
}

/** A server that can't be reached has not had the request: the next one gets it. */
function pass(incoming: IncomingMessage, outgoing: ServerResponse, to: Passing, tries = 4): void {
  const target = to.next();
  if (target === undefined || tries === 0) {
    // To the client it is as if the only server were gone.
    incoming.socket.destroy();
    return;
  }
  const passed: ClientRequest = request({
    host: target.hostname,
    port: target.port,
    method: incoming.method,
    path: incoming.url,
    headers: forwarded(incoming),
    agent: false,
  });
  let isConnected = false;
  passed.once("socket", (socket) =>
    socket.once("connect", () => {
      isConnected = true;
      incoming.pipe(passed);
      if (incoming.headers.authorization !== undefined) to.asked.emit(target.origin);
    }),
  );
  passed.on("error", () => {
    if (!isConnected) return pass(incoming, outgoing, to, tries - 1);
    outgoing.destroy();
  });
  passed.on("response", (answer) => {
    outgoing.writeHead(answer.statusCode ?? 502, answer.statusMessage, answer.rawHeaders);
    answer.pipe(outgoing);
    answer.on("error", () => outgoing.destroy());
  });
  outgoing.on("close", () => passed.destroy());
}

function tunnel(incoming: IncomingMessage, socket: Socket, head: Buffer, target: URL | undefined): void {
  socket.on("error", () => {});
  if (target === undefined) {
    socket.destroy();
    return;
  }
  const passed = connect(Number(target.port), target.hostname, () => {
    const lines = Object.entries(forwarded(incoming)).flatMap(([name, value]) =>
      [value ?? []].flat().map((one) => `${name}: ${one}`),
    );
    passed.write(`${incoming.method} ${incoming.url} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
    passed.write(head);
    passed.pipe(socket).pipe(passed);
  });
  passed.on("error", () => socket.destroy());
  passed.on("close", () => socket.destroy());
  socket.on("close", () => passed.destroy());
}
