import { useSyncExternalStore } from "react";
import { storage, storageKeys } from "#src/browser/storage.ts";

/**
 * Whether somebody has probably signed in: there is a token, unchecked. Enough for visitors' pages; only the session, which they
 * don't load, knows whether it is valid.
 */
export function hasStoredToken(): boolean {
  return storage.read(storageKeys.token) !== null;
}

const subscribe = (listener: () => void) => storage.subscribe(storageKeys.token, listener);

/** `hasStoredToken` as a live value. */
export function useSignedInHint(): boolean {
  return useSyncExternalStore(subscribe, hasStoredToken, () => false);
}
