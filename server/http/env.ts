import type { HttpBindings } from "@hono/node-server";
import type { Problem } from "#server/errors/problem.ts";
import type { User } from "#server/users/tables.ts";

/** Asks whether something still holds by which somebody was let in. @throws what a new request would be refused with */
export type Question = () => Promise<unknown>;

/** Hono's types for this application: Node's request and response, the signed-in user, and the account that somebody tries to sign in to. */
export interface AppEnv {
  Bindings: HttpBindings;
  Variables: {
    user: User;
    /** The session's id; the personal access token's where one was presented, which only routes of `requireAccess` take. */
    sessionId: string;
    /** Epoch milliseconds. */
    tokenExpiresAt: number;
    triedAccount?: string;
    /** What has to hold while the request is answered, besides the session (while-allowed.ts). */
    questions?: readonly Question[];
    /** Ends an answer whose right has ended. Default: its connection is cut off. */
    onEnd?: (reason: Problem) => void;
  };
}
