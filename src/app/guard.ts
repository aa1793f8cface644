import { session } from "./session.ts";
import { whenDecided } from "./session-tokens.ts";

/** Milliseconds; longer than a refresh may stay without an answer. */
const patience = 20_000;

/**
 * What a route that asks who is there waits for.
 * @param timeout ms @throws Error when it stays unclear for longer, or the navigation was called off
 */
export async function isSignedIn(signal: AbortSignal, timeout = patience): Promise<boolean> {
  return (await whenDecided(session, { signal, timeout })) !== undefined;
}
