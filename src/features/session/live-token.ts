import { storage } from "#src/browser/storage.ts";
import { createSessionStore } from "./store.ts";

/**
 * Whether the stored token is valid, which means "signed in" (SPEC.md section 4). Sends no request.
 * @param now epoch ms
 */
export function hasLiveToken(now = Date.now()): boolean {
  const { token, clockOffset } = createSessionStore(storage).read();
  return token !== null && token.expiresAt > now + clockOffset;
}
