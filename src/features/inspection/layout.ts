import ElkConstructor, { type ELK } from "elkjs/lib/elk-api.js";
import workerUrl from "elkjs/lib/elk-worker.min.js?url";
import type { Drawing } from "#machines/inspection/drawing.ts";
import type { LayoutInput } from "#machines/inspection/machine.ts";
import { draw } from "./drawing.ts";
import type { Lettering } from "./drawing-graph.ts";

/** ELK's worker: 1.6 MB, 470 kB compressed. Only this page loads it, and only for the first drawing. */
let elk: ELK | undefined;

/** The Trusted Types policy for workers (server/page/headers.ts): it always returns the same URL. */
let policy: ReturnType<NonNullable<Window["trustedTypes"]>["createPolicy"]> | undefined;

function startElk(): ELK {
  policy ??= window.trustedTypes?.createPolicy("inspection", { createScriptURL: () => workerUrl });
  return new ElkConstructor({
    workerFactory: () => new Worker(policy?.createScriptURL(workerUrl) ?? workerUrl, { name: "layout" }),
  });
}

/** Drawings of the same structure, for a machine that goes back and forth. */
const drawings = new Map<string, Promise<Drawing>>();
const maxEntries = 60;

/**
 * The drawing of a chart, from the worker or from before.
 * @throws Error when there is nothing to draw, or the worker can't be loaded
 */
export function layOut(wanted: LayoutInput | undefined, lettering: Lettering): Promise<Drawing> {
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
  // A failure isn't kept: the next request tries it again.
  drawing.catch(() => drawings.delete(key));
  return drawing;
}

/** Ends the worker. */
export function endLayout(): void {
  elk?.terminateWorker();
  elk = undefined;
  drawings.clear();
}
