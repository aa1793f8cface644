import type { Context } from "hono";
import type { AppEnv, Deps } from "../deps.ts";
import { describeError } from "../log.ts";

/** How often the database is looked at for news, and how often a quiet stream shows that it lives (milliseconds). */
const lookMs = 300;
const quietMs = 15_000;
/** A listener that is this far behind is waited for (bytes). */
const backlog = 1024 * 1024;

export interface EventStream {
  send(event: string, data: string, id: number): void;
  end(): void;
}

/**
 * Answers with server-sent events. `look` is called again and again and sends what is new; never twice at the same time, and not
 * while the listener is slow.
 */
export function eventStream(
  c: Context<AppEnv>,
  { log, now }: Pick<Deps, "log" | "now">,
  look: (stream: EventStream) => Promise<void>,
): Response {
  const encoder = new TextEncoder();
  const expiresAt = c.var.tokenExpiresAt;
  let open = true;
  let timer: NodeJS.Timeout | undefined;
  const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    let quietSince = performance.now();
    const write = (text: string) => {
      quietSince = performance.now();
      if (open) controller.enqueue(encoder.encode(text));
    };
    const end = () => {
      if (open) controller.close();
      open = false;
    };
    const stream: EventStream = { send: (event, data, id) => write(`id: ${id}\nevent: ${event}\ndata: ${data}\n\n`), end };
    const turn = async () => {
      try {
        if (now() >= expiresAt) return end();
        if ((controller.desiredSize ?? 0) > 0) await look(stream);
        if (performance.now() - quietSince >= quietMs) write(":\n\n");
      } catch (error) {
        log.error("event stream", describeError(error));
        end();
      }
      if (open) timer = setTimeout(turn, lookMs);
    };
    write(":\n\n");
    timer = setTimeout(turn, 0);
  };
  const cancel = () => {
    open = false;
    clearTimeout(timer);
  };
  const body = new ReadableStream<Uint8Array>({ start, cancel }, new ByteLengthQueuingStrategy({ highWaterMark: backlog }));
  return c.body(body, 200, {
    "Content-Type": "text/event-stream; charset=utf-8",
    "Cache-Control": "no-store",
    // Reverse proxies must not hold events back.
    "X-Accel-Buffering": "no",
  });
}
