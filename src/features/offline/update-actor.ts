import { createActor, fromCallback, fromPromise } from "xstate";
import { type UpdateEvent, updateMachine } from "#machines/update/machine.ts";
import { inspected } from "#src/browser/inspection.ts";
import { pageHolds } from "#src/browser/page-events.ts";
import { pageRouter } from "#src/browser/page-router.ts";
import { postToWorker, registerWorker } from "./worker.ts";

/** How often to look for a new worker (ms). Browsers look on each navigation, which a long-open page never makes. */
const lookInterval = 30 * 60_000;

/** Watches the worker's registration. @returns a function that ends it */
function followWorker(registration: ServiceWorkerRegistration, say: (event: UpdateEvent) => void): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  const { serviceWorker } = navigator;
  // The first worker takes over a page that was loaded without one, so that is no new version.
  let isFirst = serviceWorker.controller === null;
  const look = () => {
    if (registration.waiting !== null && serviceWorker.controller !== null) say({ type: "version.waiting" });
  };
  const attend = () => registration.installing?.addEventListener("statechange", look, { signal });
  look();
  attend();
  registration.addEventListener("updatefound", attend, { signal });
  serviceWorker.addEventListener(
    "controllerchange",
    () => {
      if (!isFirst) say({ type: "version.taken" });
      isFirst = false;
    },
    { signal },
  );
  const timer = setInterval(() => void registration.update().catch(() => {}), lookInterval);
  signal.addEventListener("abort", () => clearInterval(timer));
  return () => stop.abort();
}

/**
 * Reports whether the page holds unsaved input. Typed text counts until the path changes, because this code can't know
 * whether it was saved.
 */
function followPage(say: (event: UpdateEvent) => void): () => void {
  const stop = new AbortController();
  let isTyped = false;
  let wasHeld = false;
  const report = () => {
    const isHeld = isTyped || pageHolds.get() > 0;
    if (isHeld !== wasHeld) say({ type: isHeld ? "page.held" : "page.released" });
    wasHeld = isHeld;
  };
  const type = (typed: boolean) => {
    isTyped = typed;
    report();
  };
  addEventListener("input", () => type(true), { capture: true, signal: stop.signal });
  const stops = [pageHolds.subscribe(report), pageRouter().subscribe("onResolved", (to) => to.pathChanged && type(false))];
  report();
  return () => {
    stop.abort();
    for (const end of stops) end();
  };
}

/** Resolves when the new version's worker has taken over. @throws Error when there is none */
async function take(signal: AbortSignal): Promise<void> {
  const registration = await navigator.serviceWorker.getRegistration("/");
  if (registration?.waiting == null) throw new Error("No version waits.");
  const { promise, resolve } = Promise.withResolvers<void>();
  navigator.serviceWorker.addEventListener("controllerchange", () => resolve(), { once: true, signal });
  postToWorker(registration.waiting, { type: "activate" });
  await promise;
}

/** Starts to look for new versions of the page. */
export const createUpdate = () =>
  createActor(
    updateMachine.provide({
      actors: {
        worker: fromCallback(({ sendBack }) => {
          let stop: (() => void) | undefined;
          let isOver = false;
          registerWorker()
            .then((registration) => {
              if (!isOver) stop = followWorker(registration, sendBack);
            })
            // The page also works without a worker, as in private windows and browsers without support.
            .catch(() => {});
          return () => {
            isOver = true;
            stop?.();
          };
        }),
        page: fromCallback(({ sendBack }) => followPage(sendBack)),
        take: fromPromise(({ signal }) => take(signal)),
      },
      actions: { reload: () => location.reload() },
    }),
    inspected(),
  );
