import { openSession } from "./actor.ts";
import { whenDecided } from "./token-source.ts";

/**
 * Whether somebody is signed in. Waits until that is known.
 * @param timeout ms; default none
 * @throws Error on timeout, or when the navigation was aborted
 */
export async function isSignedIn(signal: AbortSignal, timeout?: number): Promise<boolean> {
  return (
    (await whenDecided(openSession(), {
      signal,
      ...(timeout !== undefined && { deadline: () => AbortSignal.timeout(timeout) }),
    })) !== undefined
  );
}
