import { storage } from "#src/browser/storage.ts";
import { createSessionStore } from "./store.ts";

/**
 * Whether the stored token has life in it: what "signed in" means (SPEC.md section 4), without asking anybody.
 * @param now epoch ms
 */
export function hasLiveToken(now = Date.now()): boolean {
  const { token, clockOffset } = createSessionStore(storage).read();
  return token !== null && token.expiresAt > now + clockOffset;
}
