import type { HttpBindings } from "@hono/node-server";
import type { User } from "#server/db/schema.ts";

/** Hono's types for this application: Node's request and response, the signed-in user, and the account that somebody tries to sign in to. */
export interface AppEnv {
  Bindings: HttpBindings;
  Variables: { user: User; sessionId: string; tokenExpiresAt: number; triedAccount?: string };
}
