import { openSession } from "./actor.ts";
import { whenDecided } from "./token-source.ts";

/**
 * What a route that asks who is there waits for.
 * @param timeout ms; default none @throws Error when it stays unclear for longer, or the navigation was called off
 */
export async function isSignedIn(signal: AbortSignal, timeout?: number): Promise<boolean> {
  return (await whenDecided(openSession(), { signal, ...(timeout !== undefined && { timeout }) })) !== undefined;
}
