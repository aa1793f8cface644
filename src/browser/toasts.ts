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
  /** Called when the toast has disappeared: closed, timed out, or after its action. */
  onClose?(): void;
  /** Removes the toast when aborted, because its action is not possible any more. */
  signal?: AbortSignal;
}

/** The running operation: a key of the locale files. */
export type LoadingMessage = Pick<Toast, "key" | "values">;

/** A toast for a running operation. It stays until it is settled with the outcome. */
export interface LoadingToast {
  /** Turns into this toast, with its duration. */
  settle(end: Toast): void;
  /** Removes it without showing the outcome. */
  dismiss(): void;
}

/** The toast library. */
export interface ToastLibrary {
  /** The container of the toasts. */
  Toasts: ComponentType;
  showToast(message: Toast): void;
  showLoading(message: LoadingMessage): LoadingToast;
}

/** Toasts wait until the library's loader is registered. */
const library = Promise.withResolvers<() => Promise<ToastLibrary>>();
let show: Promise<ToastLibrary> | undefined;

/** Registers the loader of the toast library, which the first toast calls. */
export function showToastsWith(load: () => Promise<ToastLibrary>): void {
  library.resolve(load);
}

/** Shows a toast. The first one loads the library, so that public pages don't need it. */
export function toast(message: Toast): void {
  whenReady(message.key, (library) => library.showToast(message));
}

/** Runs work with the library, in call order. */
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
