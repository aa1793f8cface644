import { useSyncExternalStore } from "react";
import { storage, storageKeys } from "#src/browser/storage.ts";

/**
 * Whether somebody has probably signed in: there is a token, unread. Good enough for what the visitors' pages show; whether the
 * token is any good is for the session to say, which they don't load.
 */
export function hasStoredToken(): boolean {
  return storage.read(storageKeys.token) !== null;
}

const subscribe = (listener: () => void) => storage.subscribe(storageKeys.token, listener);

/** `hasStoredToken`, kept up to date. */
export function useSignedInHint(): boolean {
  return useSyncExternalStore(subscribe, hasStoredToken, () => false);
}
