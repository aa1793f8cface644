import { session } from "./session.ts";
import { whenDecided } from "./session-tokens.ts";

/** Milliseconds; longer than a refresh may stay without an answer. */
const patience = 20_000;

/** What a route that asks who is there waits for. @throws Error when it stays unclear for 20 s, or the navigation was called off */
export async function isSignedIn(signal: AbortSignal): Promise<boolean> {
  return (await whenDecided(session, { signal, timeout: patience })) !== undefined;
}
