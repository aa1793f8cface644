import type { Context } from "hono";
import { connectionsChanged } from "#server/common/events.ts";
import { describeError, type Log } from "#server/common/log.ts";
import type { AppEnv } from "./env.ts";
import { eventStreamShare, type Places } from "./places.ts";

/** How often the database is polled, and how often an idle stream sends a heartbeat (milliseconds). */
const pollMs = 300;
const quietMs = 15_000;
/** Sending pauses while a client is this far behind (bytes). */
const backlog = 1024 * 1024;

const headers = {
  "Content-Type": "text/event-stream; charset=utf-8",
  "Cache-Control": "no-store",
  // Reverse proxies must not buffer events.
  "X-Accel-Buffering": "no",
};

export interface EventStream {
  send(event: string, data: string, id: number): void;
  end(): void;
  /** Whether the client is so far behind that sending has to pause. */
  isFull(): boolean;
}

interface StreamParts {
  /** Epoch milliseconds. */
  now: () => number;
  log: Log;
  /** Closes connections with their session (session/open-connections.ts). */
  connections: { add(sessionId: string, close: () => void): () => void };
  /** Streams end when the server is about to stop: the page opens them again, with the id of the last event. */
  readiness: { readonly isDraining: boolean };
  places: Places;
}

/**
 * Answers with server-sent events. `poll` is called repeatedly and sends what is new; never concurrently, and not while the
 * client is slow. The stream ends with the token and with the session that opened it.
 * @throws Problem `tooManyAtOnce`
 */
export async function eventStream(
  c: Context<AppEnv>,
  { log, now, connections, places, readiness }: StreamParts,
  poll: (stream: EventStream) => Promise<void>,
): Promise<Response> {
  // The body would be discarded.
  if (c.req.method === "HEAD") return c.body(null, 200, headers);
  const giveBack = await places.take(eventStreamShare, c.var.user.id);
  const encoder = new TextEncoder();
  const expiresAt = c.var.tokenExpiresAt;
  let open = true;
  let timer: NodeJS.Timeout | undefined;
  let remove = () => {};
  connectionsChanged.happened({ kind: "events", by: 1 });
  const release = () => {
    if (open) connectionsChanged.happened({ kind: "events", by: -1 });
    open = false;
    clearTimeout(timer);
    remove();
    giveBack();
  };
  const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    let quietSince = performance.now();
    const write = (text: string) => {
      quietSince = performance.now();
      if (open) controller.enqueue(encoder.encode(text));
    };
    const end = () => {
      if (open) controller.close();
      release();
    };
    const isFull = () => !open || (controller.desiredSize ?? 0) <= 0;
    const send: EventStream["send"] = (event, data, id) => write(`id: ${id}\nevent: ${event}\ndata: ${data}\n\n`);
    const stream: EventStream = { send, end, isFull };
    const turn = async () => {
      try {
        if (now() >= expiresAt || readiness.isDraining) return end();
        if (!isFull()) await poll(stream);
        if (performance.now() - quietSince >= quietMs) write(":\n\n");
      } catch (error) {
        log.error("event stream", describeError(error));
        end();
      }
      if (open) timer = setTimeout(turn, pollMs);
    };
    write(":\n\n");
    timer = setTimeout(turn, 0);
    remove = connections.add(c.var.sessionId, end);
  };
  const body = new ReadableStream<Uint8Array>(
    { start, cancel: release },
    new ByteLengthQueuingStrategy({ highWaterMark: backlog }),
  );
  return c.body(body, 200, headers);
}
