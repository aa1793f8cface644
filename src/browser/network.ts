import { createListeners } from "./listeners.ts";

/** Set by the service worker in a page that it has kept, and by `machines/offline`. */
const attribute = "data-offline";
const listeners = createListeners();

/** Whether there is no network, as far as is known: nothing is asked for that. */
export const isAway = (): boolean =>
  globalThis.navigator?.onLine === false || globalThis.document?.documentElement.hasAttribute(attribute) === true;

/** Hears when that may have changed. @returns the unsubscribe function */
export const watchAway = listeners.subscribe;

/** Remembers whether the server can be reached. */
export function noteAway(away: boolean): void {
  document.documentElement.toggleAttribute(attribute, away);
  listeners.emit();
}
