import { type ActorRefFrom, createActor } from "xstate";
import { exportsMachine, selectChoice } from "#machines/exports/machine.ts";
import type { ExportRequest } from "#machines/exports/rules.ts";
import { inspected } from "#src/browser/inspection.ts";
import { exportChoice } from "./choice.ts";

export type ExportOptions = ActorRefFrom<typeof exportsMachine>;

/** The options of one export dialog. Each choice is stored at once. @param onWanted receives the file to create */
export function openExportOptions(onWanted: (wanted: ExportRequest) => void): ExportOptions {
  const actor = createActor(exportsMachine, { ...inspected(), input: { choice: exportChoice.get() } });
  actor.subscribe((snapshot) => exportChoice.keep(selectChoice(snapshot)));
  actor.on("file.wanted", ({ wanted }) => onWanted(wanted));
  return actor.start();
}
