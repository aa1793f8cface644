import type { Context } from "hono";
import { connectionsChanged } from "#server/log/events.ts";
import { describeError, type Log } from "#server/log/log.ts";
import { type Concurrency, eventStreamConcurrency } from "./concurrency.ts";
import type { AppEnv } from "./env.ts";
import { breakOff, isBehind, requireRight } from "./while-allowed.ts";

/** Between two polls of the database lies at least this, however often something changes (milliseconds). */
const gapMs = 300;
/** The ms between polls of a stream without notifications: a bus message may be lost. */
const netMs = 10_000;
/** The ms between local checks for an expired token or a stopping server. */
const lookMs = 300;
/** The ms of silence after which a stream sends a heartbeat. */
const quietMs = 15_000;
/** Sending pauses while a client is this far behind (bytes). */
const backlog = 1024 * 1024;

export const eventStreamHeaders = {
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
  /** Streams end when the server is about to stop: the page opens them again, with the id of the last event. */
  readiness: { readonly isDraining: boolean };
  concurrency: Concurrency;
}

interface Source {
  /** @param changed to be called when there may be something new @returns ends it */
  subscribe(changed: () => void): () => void;
  /** Sends new data. Never called concurrently, and not while the client is slow. */
  poll(stream: EventStream): Promise<void>;
}

/**
 * Answers with server-sent events: polls at the start, and when there may be new data. The stream ends with the token
 * and with the right on which it was opened. If that right is not the session, the last event is `withdrawn`.
 * @throws Problem `tooManyAtOnce`
 */
export async function eventStream(
  c: Context<AppEnv>,
  { log, now, concurrency, readiness }: StreamParts,
  { subscribe, poll }: Source,
): Promise<Response> {
  // The body would be discarded.
  requireRight(c);
  if (c.req.method === "HEAD") return c.body(null, 200, eventStreamHeaders);
  const giveBack = await concurrency.take(eventStreamConcurrency, c.var.user.id);
  const encoder = new TextEncoder();
  const expiresAt = c.var.tokenExpiresAt;
  let open = true;
  let waitsForRoom = false;
  const cleanup = new DisposableStack();
  connectionsChanged.happened({ kind: "events", by: 1 });
  cleanup.defer(() => connectionsChanged.happened({ kind: "events", by: -1 }));
  cleanup.defer(giveBack);
  const release = () => {
    open = false;
    cleanup.dispose();
  };
  let changed = () => {};
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
    const attempt = async () => {
      try {
        if (now() >= expiresAt || readiness.isDraining) return end();
        if (!isFull()) await poll(stream);
        waitsForRoom = isFull();
      } catch (error) {
        log.error("event stream failed", describeError(error));
        end();
      }
    };
    const look = () => {
      if (now() >= expiresAt || readiness.isDraining) end();
      else if (performance.now() - quietSince >= quietMs) write(":\n\n");
    };
    const polling = repeatedly(attempt);
    changed = polling.soon;
    write(":\n\n");
    const looking = setInterval(look, lookMs);
    cleanup.defer(() => clearInterval(looking));
    cleanup.defer(polling.stop);
    cleanup.defer(subscribe(changed));
    c.set("onEnd", ({ code }) => {
      // A client that does not read gets no more events.
      if ((controller.desiredSize ?? 0) < backlog || isBehind(c)) return breakOff(c);
      if (code !== "unauthorized") write("event: withdrawn\ndata: {}\n\n");
      end();
    });
  };
  // Called when the client has read something.
  const pull = () => {
    if (waitsForRoom) changed();
  };
  const body = new ReadableStream<Uint8Array>(
    { start, pull, cancel: release },
    new ByteLengthQueuingStrategy({ highWaterMark: backlog }),
  );
  return c.body(body, 200, eventStreamHeaders);
}

/**
 * Calls `work`, never concurrently: now, at least `gapMs` after the previous call when `soon` is called, and every
 * `netMs`.
 */
function repeatedly(work: () => Promise<void>): { soon(): void; stop(): void } {
  let timer: NodeJS.Timeout | undefined;
  let isWorking = false;
  let isWanted = false;
  let isStopped = false;
  let endedAt = Number.NEGATIVE_INFINITY;
  const plan = (ms: number) => {
    clearTimeout(timer);
    if (!isStopped) timer = setTimeout(() => void turn(), ms);
  };
  const turn = async () => {
    isWorking = true;
    isWanted = false;
    await work();
    isWorking = false;
    endedAt = performance.now();
    plan(isWanted ? gapMs : netMs);
  };
  plan(0);
  return {
    soon: () => {
      if (isWanted) return;
      isWanted = true;
      if (!isWorking) plan(Math.max(0, endedAt + gapMs - performance.now()));
    },
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
