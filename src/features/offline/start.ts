import { type Actor, createActor, fromCallback, fromPromise } from "xstate";
import { type OfflineEvent, offlineMachine } from "#machines/offline/machine.ts";
import type { updateMachine } from "#machines/update/machine.ts";
import { inspected } from "#src/browser/inspection.ts";
import { isAway, noteAway } from "#src/browser/network.ts";
import { pageRouter } from "#src/browser/page-router.ts";
import { i18n, loadTexts } from "#src/i18n/index.ts";
import { FailureScreen } from "./failure-screen.tsx";
import { createUpdate } from "./update-actor.ts";
import { postToWorker } from "./worker.ts";

/**
 * A static, public file that every page may request. The request uses HEAD, which the service worker does not answer.
 */
const anyFile = "/favicon.svg";
/** A server that takes longer than this counts as unreachable (ms). */
const askTimeoutMs = 10_000;

export interface PageOffline {
  network: Actor<typeof offlineMachine>;
  update: Actor<typeof updateMachine>;
}

let open: Promise<PageOffline> | undefined;

/** Whether the server is reachable, and newer versions of the page. Lives as long as the page. */
export function openOffline(): Promise<PageOffline> {
  open ??= begin();
  return open;
}

async function begin(): Promise<PageOffline> {
  const network = createActor(
    offlineMachine.provide({
      actors: {
        network: fromCallback(({ sendBack }) => followNetwork(sendBack)),
        ask: fromPromise(async ({ signal }) => {
          const limit = AbortSignal.any([signal, AbortSignal.timeout(askTimeoutMs)]);
          await fetch(anyFile, { method: "HEAD", cache: "no-store", signal: limit });
        }),
      },
    }),
    inspected(),
  );
  const update = createUpdate();
  network.on("server.away", () => {
    noteAway(true);
    void loadAwayTexts();
  });
  network.on("server.back", () => {
    noteAway(false);
    // Code that waits for the network must also continue after the server was unreachable.
    dispatchEvent(new Event("online"));
    // Opens pages that failed to open. Open pages stay, unless the user may not see them any more.
    void pageRouter().invalidate();
  });
  update.subscribe((snapshot) => {
    if (!snapshot.matches("current")) showBar(update);
  });
  // Loads the texts before the first failure, because the failure screen must not fail itself.
  if (isAway()) await loadAwayTexts();
  network.start();
  update.start();
  pageRouter().update({ ...pageRouter().options, defaultErrorComponent: FailureScreen });
  speakToWorker();
  return { network, update };
}

const loadAwayTexts = () => Promise.all([loadTexts("app"), loadTexts("offline"), loadTexts("dictation")]);

function followNetwork(say: (event: OfflineEvent) => void): () => void {
  const stop = new AbortController();
  addEventListener("offline", () => say({ type: "network.lost" }), { signal: stop.signal });
  if (isAway()) say({ type: navigator.onLine ? "server.missed" : "network.lost" });
  addEventListener("online", () => say({ type: "network.found" }), { signal: stop.signal });
  return () => stop.abort();
}

let isShown = false;

/** Shows the bar. Its code is loaded when it first has something to show. */
function showBar(update: PageOffline["update"]): void {
  if (isShown) return;
  isShown = true;
  Promise.all([import("./bar.tsx"), loadTexts("offline")]).then(
    ([{ mountBar }]) => mountBar(update),
    () => {
      isShown = false;
    },
  );
}

/** Tells the service worker to store the texts of the current language for use without a network. */
function speakToWorker(): void {
  const speak = () => {
    navigator.serviceWorker?.ready.then(
      ({ active }) => postToWorker(active, { type: "speak", language: i18n.language }),
      () => {},
    );
  };
  speak();
  i18n.on("languageChanged", speak);
}
