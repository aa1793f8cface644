import { useToastHost } from "#src/browser/toasts.ts";

/** Nothing, until the first message is wanted. */
export function ToastHost() {
  const Host = useToastHost();
  return Host ? <Host /> : null;
}
