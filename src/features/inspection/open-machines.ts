import ElkConstructor, { type ELK } from "elkjs/lib/elk-api.js";
import workerUrl from "elkjs/lib/elk-worker.min.js?url";
import { createActor, fromPromise } from "xstate";
import type { Drawing } from "#machines/inspection/drawing.ts";
import { inspectionMachine, type LayoutInput } from "#machines/inspection/machine.ts";
import { inspected } from "#src/browser/inspection.ts";
import { perVisit } from "#src/browser/per-visit.ts";
import { startWorker } from "#src/browser/start-worker.ts";
import { draw } from "./drawing.ts";
import type { Lettering } from "./drawing-graph.ts";
import { browserLettering } from "./lettering.ts";
import { watchMachines } from "./watched-machines.ts";

const machine = inspectionMachine.provide({
  actors: { layout: fromPromise(({ input }) => layOut(input, browserLettering())) },
});

function start() {
  const actor = createActor(machine, inspected()).start();
  const watched = watchMachines();
  const unsubscribe = watched.machines.subscribe(() =>
    actor.send({ type: "machines.changed", machines: watched.machines.get() }),
  );
  return {
    actor,
    replay: watched.replay,
    stop: () => {
      unsubscribe();
      watched.stop();
      actor.stop();
      endLayout();
    },
  };
}

const inspector = perVisit(start);
/** Opens the state of /debug/machines. Returns the same one until the user leaves the page. */
export const { open: openMachines, close: closeMachines } = inspector;
export type Inspector = ReturnType<typeof start>;

/** ELK's worker: 1.6 MB, 470 kB compressed. Only this page loads it, and only for the first drawing. */
let elk: ELK | undefined;

const startElk = (): ELK => new ElkConstructor({ workerFactory: () => startWorker("inspection", workerUrl, { name: "layout" }) });

/** Cached drawings by structure, for machines that go back and forth. */
const drawings = new Map<string, Promise<Drawing>>();
const maxEntries = 60;

/**
 * The drawing of a chart, from the worker or the cache.
 * @throws Error when there is nothing to draw, or the worker can't be loaded
 */
function layOut(wanted: LayoutInput | undefined, lettering: Lettering): Promise<Drawing> {
  if (wanted === undefined) return Promise.reject(new Error("There is no machine to draw"));
  const { chart, unfolded } = wanted;
  const key = JSON.stringify([lettering.anywhere, chart, unfolded]);
  const known = drawings.get(key);
  if (known !== undefined) return known;
  elk ??= startElk();
  const drawing = draw(elk, { chart, unfolded }, lettering);
  drawings.set(key, drawing);
  const [oldest] = drawings.keys();
  if (drawings.size > maxEntries && oldest !== undefined) drawings.delete(oldest);
  // Removes a failure from the cache, so that the next request tries again.
  drawing.catch(() => drawings.delete(key));
  return drawing;
}

/** Terminates the worker. */
function endLayout(): void {
  elk?.terminateWorker();
  elk = undefined;
  drawings.clear();
}
