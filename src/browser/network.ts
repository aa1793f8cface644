import { createListeners } from "./listeners.ts";

/** Set by the service worker in a page that it has kept, and by `machines/offline`. */
const attribute = "data-offline";
const listeners = createListeners();

/** Whether there is no network, as far as is known: nothing is asked for that. */
export const isAway = (): boolean =>
  globalThis.navigator?.onLine === false || globalThis.document?.documentElement.hasAttribute(attribute) === true;

/** Hears when that may have changed. @returns the unsubscribe function */
export function watchAway(listener: () => void): () => void {
  const stop = new AbortController();
  // A visitor's page may have no service worker, and no `machines/offline`.
  for (const type of ["online", "offline"]) addEventListener(type, listener, { signal: stop.signal });
  const leave = listeners.subscribe(listener);
  return () => {
    stop.abort();
    leave();
  };
}

/** Remembers whether the server can be reached. */
export function noteAway(away: boolean): void {
  document.documentElement.toggleAttribute(attribute, away);
  listeners.emit();
}
