import { type ComponentType, useSyncExternalStore } from "react";
import type { LoadingMessage, LoadingToast } from "./loading-toast.ts";

/** A message in the corner. */
export interface Toast {
  kind: "success" | "error" | "warning" | "plain";
  /** Of the locale files: "toast.saved", "errors.network", "app:history.retried". */
  key: string;
  values?: Record<string, string>;
  /** What can be done about it, as a button. */
  action?: { key: string; run(): void };
}

/** What shows the messages. */
interface Shower {
  showToast(message: Toast): void;
  showLoading(message: LoadingMessage): LoadingToast;
}

let Host: ComponentType | undefined;
let show: Promise<Shower> | undefined;
const listeners = new Set<() => void>();

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
  const loaded = await import("#src/features/shell/toasts.tsx");
  Host = loaded.Toasts;
  for (const listener of listeners) listener();
  return loaded;
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** What shows the messages, once the first is wanted. */
export function useToastHost(): ComponentType | undefined {
  return useSyncExternalStore(subscribe, () => Host);
}
