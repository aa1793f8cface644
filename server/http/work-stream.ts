import type { Context } from "hono";
import { isOwnFault, Problem } from "#server/errors/problem.ts";
import { describeError, type Log } from "#server/log/log.ts";
import type { AppEnv } from "./env.ts";
import { eventStreamHeaders } from "./event-stream.ts";
import { breakOff, isBehind, requireRight } from "./while-allowed.ts";

/** Keep-alive interval of a silent stream (milliseconds): a model may think for long. */
const quietMs = 15_000;

interface Refused {
  error: { code: string; message: string };
}

interface WorkStreamOptions {
  log: Log;
  /** The name in the log if it fails unexpectedly: "generating a post". */
  name: string;
}

/**
 * Answers with server-sent events about one task until it is finished: the event's name is the first key of the object
 * that is its data. A failure is the last event, `error`. The task is aborted when the client disconnects, or its right
 * ends.
 */
export function workStream<Event extends object>(
  c: Context<AppEnv>,
  { log, name }: WorkStreamOptions,
  work: (send: (event: Event) => void, signal: AbortSignal) => Promise<void>,
): Response {
  requireRight(c);
  const encoder = new TextEncoder();
  const gone = new AbortController();
  const end = new AbortController();
  const ended = new AbortController();
  c.set("onEnd", (reason) => {
    ended.abort(reason);
    if (isBehind(c)) breakOff(c);
  });
  const start = (controller: ReadableStreamDefaultController<Uint8Array>) => {
    const write = (text: string) => {
      if (!gone.signal.aborted) controller.enqueue(encoder.encode(text));
    };
    const send = (event: Event | Refused) => write(`event: ${Object.keys(event)[0]}\ndata: ${JSON.stringify(event)}\n\n`);
    const timer = setInterval(() => write(":\n\n"), quietMs);
    const finish = () => {
      clearInterval(timer);
      if (!gone.signal.aborted) controller.close();
      end.abort();
    };
    void work(send, AbortSignal.any([gone.signal, ended.signal]))
      .catch((error: unknown) => {
        if (!gone.signal.aborted) send({ error: refusalOf(error, log, name) });
      })
      .finally(finish);
  };
  const cancel = () => gone.abort();
  // A connection lost before the first byte cancels no body.
  c.req.raw.signal.addEventListener("abort", cancel, { signal: end.signal });
  return c.body(new ReadableStream<Uint8Array>({ start, cancel }), 200, eventStreamHeaders);
}

function refusalOf(error: unknown, log: Log, name: string): Refused["error"] {
  const problem = error instanceof Problem ? error : new Problem("internal");
  if (isOwnFault(problem)) log.error(name, describeError(error));
  return { code: problem.code, message: problem.message };
}
