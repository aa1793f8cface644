import { type Toast, whenReady } from "./toasts.ts";

/** What is under way: of the locale files. */
export type LoadingMessage = Pick<Toast, "key" | "values">;

/** A message that says what is under way. It stays until it is told how that ended. */
export interface LoadingToast {
  /** The message becomes this one, and goes as such a message does. */
  settle(end: Toast): void;
  /** Nothing is to be said of the end. */
  dismiss(): void;
}

/** Says that something is under way that takes long (SPEC.md section 9, "Toast durations": loading, unlimited). */
export function loadingToast(message: LoadingMessage): LoadingToast {
  let shown: LoadingToast | undefined;
  whenReady(message.key, (shower) => {
    shown = shower.showLoading(message);
  });
  return {
    settle: (end) => whenReady(end.key, (shower) => (shown ? shown.settle(end) : shower.showToast(end))),
    dismiss: () => whenReady(message.key, () => shown?.dismiss()),
  };
}
