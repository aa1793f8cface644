import { type ActorRefFrom, createActor } from "xstate";
import { exportsMachine, selectChoice } from "#machines/exports/machine.ts";
import type { ExportRequest } from "#machines/exports/rules.ts";
import { inspected } from "#src/browser/inspection.ts";
import { exportChoice } from "./choice.ts";

export type ExportOptions = ActorRefFrom<typeof exportsMachine>;

/** The options of one dialog; what is chosen is kept at once. @param onWanted is given the file that is to be made */
export function openExportOptions(onWanted: (wanted: ExportRequest) => void): ExportOptions {
  const actor = createActor(exportsMachine, { ...inspected(), input: { choice: exportChoice.get() } });
  actor.subscribe((snapshot) => exportChoice.keep(selectChoice(snapshot)));
  actor.on("file.wanted", ({ wanted }) => onWanted(wanted));
  return actor.start();
}
