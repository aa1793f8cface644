import { createListeners } from "./listeners.ts";

/** Set by the service worker in a page from its cache, and by `machines/offline`. */
const attribute = "data-offline";
const listeners = createListeners();

/** Whether there is no network, as far as is known. Sends no request. */
export const isAway = (): boolean =>
  globalThis.navigator?.onLine === false || globalThis.document?.documentElement.hasAttribute(attribute) === true;

/** Calls back when that may have changed. @returns the unsubscribe function */
export function watchAway(listener: () => void): () => void {
  const stop = new AbortController();
  // Needed because a visitor's page may have no service worker and no `machines/offline`.
  for (const type of ["online", "offline"]) addEventListener(type, listener, { signal: stop.signal });
  const leave = listeners.subscribe(listener);
  return () => {
    stop.abort();
    leave();
  };
}

/** Stores whether the server is unreachable. */
export function noteAway(away: boolean): void {
  document.documentElement.toggleAttribute(attribute, away);
  listeners.emit();
}
