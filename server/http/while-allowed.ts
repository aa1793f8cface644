import type { Context, MiddlewareHandler } from "hono";
import type { Problem } from "#server/errors/problem.ts";
import type { AppEnv, Question } from "./env.ts";

/** The right on which access was given. The session must be valid, and no question may throw. */
export interface Right {
  /** The id of a session or of a personal access token. */
  sessionId: string | undefined;
  questions: readonly Question[];
}

/** Requests, answers and sockets that are open on a right (session/open-connections.ts). */
export interface OpenOnRights {
  /**
   * Asks for the right when one may have ended, and every two seconds.
   * @param rightOf the right at this moment; undefined: it needs none
   * @param end called once, when the right has ended or cannot be asked for during ten seconds; `reason` is what a new
   *   request is refused with
   * @returns removes it; to be called when it has closed
   */
  add(rightOf: () => Right | undefined, end: (reason: Problem) => void): () => void;
}

/** Asks this again while the request is answered. Code that looks up a user's rights calls it. */
export function askAgain(c: Context<AppEnv>, question: Question): void {
  c.set("questions", [...(c.var.questions ?? []), question]);
}

function rightOf(c: Context<AppEnv>): Right | undefined {
  const { sessionId, questions = [] } = c.var;
  return sessionId === undefined && questions.length === 0 ? undefined : { sessionId, questions };
}

/** The header of a body that is sent while it is read. */
const unbuffered = "X-Accel-Buffering";

/**
 * Call it for a body that is sent while it is read. Its header keeps a proxy from buffering the whole body.
 * @throws Error if the request has no right: see `askAgain`. A public route calls `c.set("questions", [])`.
 */
export function requireRight(c: Context<AppEnv>): void {
  if (c.var.sessionId === undefined && c.var.questions === undefined)
    throw new Error("The body is sent without an access right.");
  c.header(unbuffered, "no");
}

/** Resets the connection: the client gets no more of the buffered data, and its answer does not look complete. */
export function breakOff({ env: { incoming, outgoing } }: Pick<Context<AppEnv>, "env">): void {
  const isSent = outgoing.writableEnded && outgoing.writableLength === 0;
  if (isSent || outgoing.destroyed) return;
  // An answer that waits behind another one on its connection has no socket yet, but its request has.
  incoming.socket.resetAndDestroy();
  outgoing.destroy();
}

/** Whether something of an answer waits for its client. */
export const isBehind = ({ env: { outgoing } }: Context<AppEnv>): boolean =>
  outgoing.writableNeedDrain || outgoing.socket === null;

/** Headers that describe a body: the refusal that takes its place has none of them. */
const bodyHeaders = [
  ...["Accept-Ranges", "Cache-Control", "Content-Disposition", "Content-Length", "Content-Range", "Content-Security-Policy"],
  ...["Content-Type", "ETag"],
];

/**
 * Aborts each request and answer whose right ends. An answer that has not started becomes a refusal. A short answer to
 * a change is still sent, because it reports what was changed.
 */
export function whileAllowed({ connections }: { connections: OpenOnRights }): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const { incoming, outgoing } = c.env;
    let isAnswered = false;
    let ended: Problem | undefined;
    const end = (reason: Problem) => {
      if (incoming.complete && !isAnswered) ended = reason;
      else if (c.var.onEnd === undefined) breakOff(c);
      else c.var.onEnd(reason);
    };
    const watch = () => {
      // The client may have disconnected. No other event would report that, and it would be watched forever.
      if (outgoing.destroyed) return;
      const unwatch = connections.add(() => rightOf(c), end);
      outgoing.once("close", unwatch);
    };
    watch();
    await next();
    isAnswered = true;
    if (ended === undefined) return;
    const isRead = ["GET", "HEAD"].includes(c.req.method) || c.var.sessionId === undefined || c.res.headers.has(unbuffered);
    if (!isRead) return watch();
    await c.res.body?.cancel();
    for (const name of bodyHeaders) c.res.headers.delete(name);
    throw ended;
  };
}
