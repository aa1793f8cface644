import { type EventObject, fromCallback } from "xstate";
import { createStore, type ReadableStore } from "./store.ts";

/**
 * Calls back when the device has woken up, the page is visible again, or the network is back.
 * @returns the unsubscribe function
 */
export function listenForWaking(wake: () => void, page: Window = window): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  const wakeIfSeen = () => {
    if (page.document.visibilityState === "visible") wake();
  };
  // The network also matters to hidden pages.
  page.addEventListener("online", () => wake(), { signal });
  page.addEventListener("pageshow", wakeIfSeen, { signal });
  page.document.addEventListener("visibilitychange", wakeIfSeen, { signal });
  return () => stop.abort();
}

/** An actor that sends `page.resumed` to a machine. */
export const createWakeUps = <Heard extends EventObject>() =>
  fromCallback<Heard>(({ sendBack }) => listenForWaking(() => sendBack({ type: "page.resumed" })));

const holds = createStore(0);
/** The number of running operations that leaving the page would interrupt. */
export const pageHolds: ReadableStore<number> = holds;

/** Makes the browser ask before the page is left. @returns the release function */
export function holdPage(): () => void {
  const stop = new AbortController();
  addEventListener("beforeunload", (event) => event.preventDefault(), { signal: stop.signal });
  holds.set(holds.get() + 1);
  stop.signal.addEventListener("abort", () => holds.set(holds.get() - 1), { once: true });
  return () => stop.abort();
}
