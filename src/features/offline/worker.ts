import type { WorkerCommand } from "#src/service-worker/messages.ts";

/** At the root, because it serves every page. The server sends it with `no-cache`. */
const workerPath = "/service-worker.js";

/** The worker's Trusted Types policy (server/page/headers.ts). It always returns the same address. */
let policy: ReturnType<NonNullable<Window["trustedTypes"]>["createPolicy"]> | undefined;

/**
 * Registers the service worker (src/service-worker/main.ts), or finds its registration.
 * @throws Error when the browser has no service workers or refuses it, or the server has none
 */
export async function registerWorker(): Promise<ServiceWorkerRegistration> {
  policy ??= window.trustedTypes?.createPolicy("offline", { createScriptURL: () => workerPath });
  const address: URL | string = policy?.createScriptURL(workerPath) ?? workerPath;
  return navigator.serviceWorker.register(address, { scope: "/", updateViaCache: "none" });
}

export function postToWorker(worker: ServiceWorker | null, command: WorkerCommand): void {
  worker?.postMessage(command);
}
