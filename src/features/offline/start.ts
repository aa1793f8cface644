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

/** What every page may ask for: nothing that changes, and nothing of a person. HEAD, so that the service worker does not answer. */
const anyFile = "/favicon.svg";
/** A server that answers later than this is as good as none (ms). */
const askTimeoutMs = 10_000;

export interface PageOffline {
  network: Actor<typeof offlineMachine>;
  update: Actor<typeof updateMachine>;
}

let open: Promise<PageOffline> | undefined;

/** Whether the server is there, and newer versions of the page; for as long as the page is open. */
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
    // A server that was away is what a network is that was away: whatever waits for that goes on.
    dispatchEvent(new Event("online"));
    // What could not be opened is opened now; what is open stays, unless its person may not see it any more.
    void pageRouter().invalidate();
  });
  update.subscribe((snapshot) => {
    if (!snapshot.matches("current")) showBar(update);
  });
  // A screen that fails itself would say nothing: its texts come before the first failure.
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

/** Its code comes with the first thing that it has to say. */
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

/** The texts of the language that is spoken are kept for when there is no network. */
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
