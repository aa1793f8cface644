import { useSyncExternalStore } from "react";
import { toastHost } from "#src/browser/toast-host.ts";

/** Renders nothing until the first message. */
export function ToastHost() {
  const Host = useSyncExternalStore(toastHost.subscribe, toastHost.get, toastHost.get);
  return Host ? <Host /> : null;
}
