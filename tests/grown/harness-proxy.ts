import { EventEmitter, once } from "node:events";
import { type ClientRequest, createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { timeLimit } from "#tests/fixtures/time-limit.ts";

/** A reverse proxy that gives each request, and each WebSocket, to the next server: nobody stays where they were. */
export interface RoundRobin extends AsyncDisposable {
  url: string;
  /** How many requests each server has had. */
  readonly counts: ReadonlyMap<string, number>;
  /**
   * Waits until somebody who has signed in, or a WebSocket, waits for an answer of one server.
   * @param origin "http://127.0.0.1:3000" @throws Error when nobody does within 60 s
   */
  untilAsked(origin: string): Promise<void>;
  close(): Promise<void>;
}

/** @param origins of the servers that run now ("http://127.0.0.1:3000") */
export async function startRoundRobin(origins: () => readonly string[]): Promise<RoundRobin> {
  const counts = new Map<string, number>();
  const waiting = new Waiting();
  let turn = 0;
  const next = (): URL | undefined => {
    const running = origins();
    const origin = running[turn++ % Math.max(1, running.length)];
    if (origin === undefined) return undefined;
    counts.set(origin, (counts.get(origin) ?? 0) + 1);
    return new URL(origin);
  };
  const server = createServer((incoming, outgoing) => pass(incoming, outgoing, { next, waiting }));
  server.on("upgrade", (incoming, socket: Socket, head) => tunnel(incoming, socket, head, { next, waiting }));
  // As a browser reaches it: by the name localhost.
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const url = `http://localhost:${portOf(server)}`;
  const close = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  };
  return { url, counts, untilAsked: (origin) => waiting.until(origin), close, [Symbol.asyncDispose]: close };
}

/** As long as people may take to ask for the next thing (ms): what a stopped process holds in PostgreSQL is let go after 10 s. */
const askMs = timeLimit(60_000);
/** So many turns of the event loop pass on what a server has sent before it was stopped. */
const answerTurns = 10;

interface Passing {
  next(): URL | undefined;
  waiting: Waiting;
}

/** Who waits for an answer of which server. */
class Waiting {
  readonly #counts = new Map<string, number>();
  readonly #begun = new EventEmitter();

  /** @param ended is told the end: the answer has been passed on, or there will be none */
  begin(origin: string, ended: EventEmitter): void {
    this.#add(origin, 1);
    ended.once("close", () => this.#add(origin, -1));
    this.#begun.emit(origin);
  }

  /** @throws Error when nobody does within 60 s */
  async until(origin: string): Promise<void> {
    // Answers that have come are passed on first: nobody waits for them any more.
    for (let turn = 0; turn < answerTurns; turn += 1) await setImmediate();
    if ((this.#counts.get(origin) ?? 0) > 0) return;
    const isLate = (error: unknown) => {
      throw new Error(`Nobody asked ${origin} for anything in ${askMs / 1_000} s.`, { cause: error });
    };
    await once(this.#begun, origin, { signal: AbortSignal.timeout(askMs) }).catch(isLate);
  }

  #add(origin: string, by: number): void {
    this.#counts.set(origin, (this.#counts.get(origin) ?? 0) + by);
  }
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
      if (incoming.headers.authorization !== undefined) to.waiting.begin(target.origin, outgoing);
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

function tunnel(incoming: IncomingMessage, socket: Socket, head: Buffer, to: Passing): void {
  socket.on("error", () => {});
  const target = to.next();
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
    to.waiting.begin(target.origin, socket);
  });
  passed.on("error", () => socket.destroy());
  passed.on("close", () => socket.destroy());
  socket.on("close", () => passed.destroy());
}
