import type { ComponentType } from "react";
import { toastHost } from "./toast-host.ts";

/** A toast. */
export interface Toast {
  kind: "success" | "error" | "warning" | "plain" | "undo";
  /** A key of the locale files: "toast.saved", "errors.network", "app:history.retried". */
  key: string;
  values?: Record<string, string | number>;
  /** Its action, as a button. */
  action?: { key: string; run(): void };
  /** Called when it is gone: closed, timed out, or after its action. */
  onClose?(): void;
  /** Removes it when aborted: its action is possible no longer. */
  signal?: AbortSignal;
}

/** What is in progress: a key of the locale files. */
export type LoadingMessage = Pick<Toast, "key" | "values">;

/** A toast for an operation in progress. It stays until it is updated with the outcome. */
export interface LoadingToast {
  /** Becomes this toast, with that one's duration. */
  settle(end: Toast): void;
  /** Removes it without showing the outcome. */
  dismiss(): void;
}

/** The toast library. */
export interface ToastLibrary {
  /** Their position. */
  Toasts: ComponentType;
  showToast(message: Toast): void;
  showLoading(message: LoadingMessage): LoadingToast;
}

/** Whoever has something to say before it is registered waits for that. */
const library = Promise.withResolvers<() => Promise<ToastLibrary>>();
let show: Promise<ToastLibrary> | undefined;

/** Registers the toast library, which is loaded with the first toast. */
export function showToastsWith(load: () => Promise<ToastLibrary>): void {
  library.resolve(load);
}

/** Shows a toast. The first one loads the library: the public pages do without it. */
export function toast(message: Toast): void {
  whenReady(message.key, (library) => library.showToast(message));
}

/** In call order. */
export function whenReady(key: string, work: (library: ToastLibrary) => void): void {
  show ??= load();
  show.then(work).catch((error: unknown) => {
    // The next toast tries again.
    show = undefined;
    console.warn(`The message ${key} could not be shown:`, error);
  });
}

async function load(): Promise<ToastLibrary> {
  const loadLibrary = await library.promise;
  const loaded = await loadLibrary();
  toastHost.set(loaded.Toasts);
  return loaded;
}
