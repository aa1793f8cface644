import type { HttpBindings } from "@hono/node-server";
import type { User } from "#server/db/schema.ts";

/** Hono's types for this application: Node's request and response, and the signed-in user. */
export interface AppEnv {
  Bindings: HttpBindings;
  Variables: { user: User; sessionId: string; tokenExpiresAt: number };
}
