import { type EventObject, fromCallback } from "xstate";

/** The device woke, the page is visible again, or the network is back. @returns the unsubscribe function */
export function listenForWaking(wake: () => void, page: Window = window): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  const wakeIfSeen = () => {
    if (page.document.visibilityState === "visible") wake();
  };
  // The network matters to hidden pages, too.
  page.addEventListener("online", () => wake(), { signal });
  page.addEventListener("pageshow", wakeIfSeen, { signal });
  page.document.addEventListener("visibilitychange", wakeIfSeen, { signal });
  return () => stop.abort();
}

/** The actor that sends `page.resumed` to a machine. */
export const createWakeUps = <Heard extends EventObject>() =>
  fromCallback<Heard>(({ sendBack }) => listenForWaking(() => sendBack({ type: "page.resumed" })));

/** The browser asks before the page is left. @returns the release function */
export function holdPage(): () => void {
  const stop = new AbortController();
  addEventListener("beforeunload", (event) => event.preventDefault(), { signal: stop.signal });
  return () => stop.abort();
}
