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

/**
 * Keeps the root's attribute `data-signed-in`, by which style sheets tell what is for visitors from what is not (src/ui/base.css). The
 * script in index.html sets it before the first paint: the HTML of a page is the same for everybody.
 */
export function followSignedInHint(): void {
  const follow = () => document.documentElement.toggleAttribute("data-signed-in", hasStoredToken());
  follow();
  subscribe(follow);
}

/** `hasStoredToken` as a live value. */
export function useSignedInHint(): boolean {
  return useSyncExternalStore(subscribe, hasStoredToken, () => false);
}
