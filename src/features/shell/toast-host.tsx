import { useToastHost } from "#src/browser/toasts.ts";

/** Renders nothing until the first message. */
export function ToastHost() {
  const Host = useToastHost();
  return Host ? <Host /> : null;
}
