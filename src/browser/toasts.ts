import { type ComponentType, useSyncExternalStore } from "react";
import { createStore } from "./store.ts";

/** A message in the corner. */
export interface Toast {
  kind: "success" | "error" | "warning" | "plain";
  /** Of the locale files: "toast.saved", "errors.network", "app:history.retried". */
  key: string;
  values?: Record<string, string>;
  /** What can be done about it, as a button. */
  action?: { key: string; run(): void };
}

/** What is under way: of the locale files. */
export type LoadingMessage = Pick<Toast, "key" | "values">;

/** A message that says what is under way. It stays until it is told how that ended. */
export interface LoadingToast {
  /** The message becomes this one, and goes as such a message does. */
  settle(end: Toast): void;
  /** Nothing is to be said of the end. */
  dismiss(): void;
}

/** What shows the messages. */
export interface Shower {
  /** Where they appear. */
  Toasts: ComponentType;
  showToast(message: Toast): void;
  showLoading(message: LoadingMessage): LoadingToast;
}

/** Named before anything is said. */
let loadShower: () => Promise<Shower>;
let show: Promise<Shower> | undefined;
const host = createStore<ComponentType | undefined>(undefined);

/** Names what shows the messages; it is loaded with the first one. */
export function showToastsWith(load: () => Promise<Shower>): void {
  loadShower = load;
}

/** Shows a message. The first one loads what shows them: the visitors' pages do without. */
export function toast(message: Toast): void {
  whenReady(message.key, (shower) => shower.showToast(message));
}

/** One after the other, in the order of the calls. */
export function whenReady(key: string, work: (shower: Shower) => void): void {
  show ??= load();
  show.then(work).catch((error: unknown) => {
    // The next message tries again.
    show = undefined;
    console.warn(`The message ${key} could not be shown:`, error);
  });
}

async function load(): Promise<Shower> {
  const loaded = await loadShower();
  host.set(loaded.Toasts);
  return loaded;
}

/** What shows the messages, once the first is wanted. */
export function useToastHost(): ComponentType | undefined {
  return useSyncExternalStore(host.subscribe, host.get);
}
