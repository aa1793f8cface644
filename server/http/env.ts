import type { HttpBindings } from "@hono/node-server";
import type { Problem } from "#server/errors/problem.ts";
import type { User } from "#server/users/tables.ts";

/**
 * Checks whether a right to access still holds.
 * @throws the refusal of a new request
 */
export type Question = () => Promise<unknown>;

/**
 * Hono's types for this application: Node's request and response, the signed-in user, and the account of an attempted
 * sign-in.
 */
export interface AppEnv {
  Bindings: HttpBindings;
  Variables: {
    user: User;
    /** The id of the session, or of the personal access token, which only routes of `requireAccess` accept. */
    sessionId: string;
    /** Epoch milliseconds. */
    tokenExpiresAt: number;
    triedAccount?: string;
    /** Conditions that must hold while the request is answered, besides the session (while-allowed.ts). */
    questions?: readonly Question[];
    /** Ends an answer whose right has ended. Default: its connection is cut off. */
    onEnd?: (reason: Problem) => void;
  };
}
