import { type LoadingMessage, type LoadingToast, whenReady } from "./toasts.ts";

/** A toast for a slow operation (SPEC.md section 9, "Toast durations": loading, unlimited). */
export function loadingToast(message: LoadingMessage): LoadingToast {
  let shown: LoadingToast | undefined;
  whenReady(message.key, (library) => {
    shown = library.showLoading(message);
  });
  return {
    settle: (end) => whenReady(end.key, (library) => (shown ? shown.settle(end) : library.showToast(end))),
    dismiss: () => whenReady(message.key, () => shown?.dismiss()),
  };
}
