import { EventEmitter, once } from "node:events";
import { type ClientRequest, createServer, type IncomingMessage, request, type Server, type ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { timeLimit } from "#tests/fixtures/time-limit.ts";

/** A reverse proxy that sends each request and each WebSocket to the next server. */
export interface RoundRobin extends AsyncDisposable {
  url: string;
  /** Number of requests to each server. */
  readonly counts: ReadonlyMap<string, number>;
  /**
   * Waits until a signed-in user's request, or a WebSocket, waits for an answer from this server.
   * @param origin "http://127.0.0.1:3000" @throws Error when there is none within 60 s
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
  // Browsers reach it by the name localhost.
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

/** Time in ms for the next request to come; a stopped process's locks in PostgreSQL are released after 10 s. */
const askMs = timeLimit(60_000);
/** Event-loop turns that pass on what a server sent before it was stopped. */
const answerTurns = 10;

interface Passing {
  next(): URL | undefined;
  waiting: Waiting;
}

/** Which servers have unanswered requests. */
class Waiting {
  readonly #counts = new Map<string, number>();
  readonly #begun = new EventEmitter();

  /** @param ended emits "close" when the answer has been passed on or will not come */
  begin(origin: string, ended: EventEmitter): void {
    this.#add(origin, 1);
    ended.once("close", () => this.#add(origin, -1));
    this.#begun.emit(origin);
  }

  /** @throws Error when no request comes within 60 s */
  async until(origin: string): Promise<void> {
    // Passes on answers that have already arrived.
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

/** The request's headers with its client's address added to X-Forwarded-For. */
function forwarded({ headers, socket }: IncomingMessage): Record<string, string | string[] | undefined> {
  const before = headers["x-forwarded-for"];
  return { ...headers, "x-forwarded-for": [before ?? [], socket.remoteAddress ?? ""].flat().join(", ") };
}

/** An unreachable server has not received the request, so the next server gets it. */
function pass(incoming: IncomingMessage, outgoing: ServerResponse, to: Passing, tries = 4): void {
  const target = to.next();
  if (target === undefined || tries === 0) {
    // For the client this looks as if the only server were gone.
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
