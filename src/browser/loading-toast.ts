import { type LoadingMessage, type LoadingToast, whenReady } from "./toasts.ts";

/** A toast for a slow operation (SPEC.md section 9, "Toast durations": loading, unlimited). */
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
