import type { HttpBindings } from "@hono/node-server";
import type { User } from "#server/users/tables.ts";

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
  };
}
