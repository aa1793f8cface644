import { useSyncExternalStore } from "react";
import { storage, storageKeys } from "#src/browser/storage.ts";

/**
 * Whether somebody is probably signed in: a token is stored, but not checked. Enough for visitors' pages, because they
 * don't load the session, which alone knows whether the token is valid.
 */
export function hasStoredToken(): boolean {
  return storage.read(storageKeys.token) !== null;
}

const subscribe = (listener: () => void) => storage.subscribe(storageKeys.token, listener);

/**
 * Keeps the root's attribute `data-signed-in` up to date. Style sheets use it to hide what is only for visitors
 * (src/ui/base.css). The HTML is the same for everybody, so a script in index.html sets the attribute before the first
 * paint.
 */
export function followSignedInHint(): void {
  const follow = () => document.documentElement.toggleAttribute("data-signed-in", hasStoredToken());
  follow();
  subscribe(follow);
}

/** `hasStoredToken` as a React hook. */
export function useSignedInHint(): boolean {
  return useSyncExternalStore(subscribe, hasStoredToken, () => false);
}
