import type { Context, MiddlewareHandler } from "hono";
import type { Problem } from "#server/errors/problem.ts";
import type { AppEnv, Question } from "./env.ts";

/** What something is sent on; all of it has to hold. */
export interface Right {
  /** Of a session, or of a personal access token. */
  sessionId: string | undefined;
  questions: readonly Question[];
}

/** What is open on rights (session/open-connections.ts). */
export interface OpenOnRights {
  /**
   * Asks for the right when one may have ended, and every two seconds.
   * @param rightOf at that moment; undefined: it needs none
   * @param end called once, when the right has ended or can't be asked, with what a new request would be refused with
   * @returns call it when it has closed by itself
   */
  add(rightOf: () => Right | undefined, end: (reason: Problem) => void): () => void;
}

/** Asks this again for as long as the request is answered. Whoever looks up what a person may see calls it. */
export function askAgain(c: Context<AppEnv>, question: Question): void {
  c.set("questions", [...(c.var.questions ?? []), question]);
}

function rightOf(c: Context<AppEnv>): Right | undefined {
  const { sessionId, questions = [] } = c.var;
  return sessionId === undefined && questions.length === 0 ? undefined : { sessionId, questions };
}

/**
 * For a body that is sent as it is read: no proxy takes it all in advance, as it would go on from there.
 * @throws Error when nobody has said on which right: see `askAgain`. What is for everybody says `c.set("questions", [])`.
 */
export function requireRight(c: Context<AppEnv>): void {
  if (c.var.sessionId === undefined && c.var.questions === undefined) throw new Error("This body is sent on no right.");
  c.header("X-Accel-Buffering", "no");
}

/** Cuts the connection off: what the system still holds for the client goes, too, and what has arrived does not look complete. */
export function breakOff({ env: { outgoing } }: Context<AppEnv>): void {
  const isOut = outgoing.writableEnded && outgoing.writableLength === 0;
  if (isOut || outgoing.destroyed) return;
  outgoing.socket?.resetAndDestroy();
  outgoing.destroy();
}

/** Of a body: an answer that takes its place has none of them. */
const bodyHeaders = [
  ...["Accept-Ranges", "Cache-Control", "Content-Disposition", "Content-Length", "Content-Range", "Content-Security-Policy"],
  ...["Content-Type", "ETag"],
];

/**
 * Breaks off every request and every answer whose right ends while it is under way. An answer that has not begun is refused instead; but
 * whoever changes something is told what came of it, even if that has ended their right.
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
    const watch = () =>
      void outgoing.once(
        "close",
        connections.add(() => rightOf(c), end),
      );
    if (!outgoing.destroyed) watch();
    await next();
    isAnswered = true;
    if (ended === undefined) return;
    const isRead = c.req.method === "GET" || c.var.sessionId === undefined;
    if (!isRead) return watch();
    await c.res.body?.cancel();
    for (const name of bodyHeaders) c.res.headers.delete(name);
    throw ended;
  };
}
