import { type EventObject, fromCallback } from "xstate";

/** The device woke, the page is looked at again, or the network is back. @returns what ends it */
export function listenForWaking(wake: () => void, page: Window = window): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  const wakeIfSeen = () => {
    if (page.document.visibilityState === "visible") wake();
  };
  // What waits for the network goes on unseen, too.
  page.addEventListener("online", () => wake(), { signal });
  page.addEventListener("pageshow", wakeIfSeen, { signal });
  page.document.addEventListener("visibilitychange", wakeIfSeen, { signal });
  return () => stop.abort();
}

/** The actor that sends `woke` to a machine. */
export const createWakeUps = <Heard extends EventObject>() =>
  fromCallback<Heard>(({ sendBack }) => listenForWaking(() => sendBack({ type: "woke" })));

/** The browser asks before the page is left. @returns what ends it */
export function holdPage(): () => void {
  const stop = new AbortController();
  addEventListener("beforeunload", (event) => event.preventDefault(), { signal: stop.signal });
  return () => stop.abort();
}
