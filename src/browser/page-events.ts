import { type EventObject, fromCallback } from "xstate";
import { createStore, type ReadableStore } from "./store.ts";

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

const holds = createStore(0);
/** How many things are under way that would be cut short if the page were left. */
export const pageHolds: ReadableStore<number> = holds;

/** The browser asks before the page is left. @returns the release function */
export function holdPage(): () => void {
  const stop = new AbortController();
  addEventListener("beforeunload", (event) => event.preventDefault(), { signal: stop.signal });
  holds.set(holds.get() + 1);
  stop.signal.addEventListener("abort", () => holds.set(holds.get() - 1), { once: true });
  return () => stop.abort();
}
