import type { WorkerCommand } from "#src/service-worker/messages.ts";

/** At the root, as it opens every page; the server sends it with `no-cache`. */
const workerPath = "/service-worker.js";

/** The Trusted Types policy for it (server/page/headers.ts): it always returns the same address. */
let policy: ReturnType<NonNullable<Window["trustedTypes"]>["createPolicy"]> | undefined;

/**
 * Registers the service worker (src/service-worker/main.ts), or finds that it is registered.
 * @throws Error where there are none, the browser refuses it, or the server has none
 */
export async function registerWorker(): Promise<ServiceWorkerRegistration> {
  policy ??= window.trustedTypes?.createPolicy("offline", { createScriptURL: () => workerPath });
  const address: URL | string = policy?.createScriptURL(workerPath) ?? workerPath;
  return navigator.serviceWorker.register(address, { scope: "/", updateViaCache: "none" });
}

export function postToWorker(worker: ServiceWorker | null, command: WorkerCommand): void {
  worker?.postMessage(command);
}
