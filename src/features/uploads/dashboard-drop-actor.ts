import { type Actor, createActor, fromPromise } from "xstate";
import { dropMachine } from "#machines/uploads/drop.ts";
import { inspected } from "#src/browser/inspection.ts";
import { pageRouter } from "#src/browser/page-router.ts";
import { handOver } from "./handed-over.ts";

const machine = dropMachine.provide({
  actors: {
    begin: fromPromise(async () => (await import("./add-handed-over.ts")).addOnDashboard()),
  },
  actions: { openFiles: () => void pageRouter().navigate({ to: "/speech-to-text" }) },
});

let actor: Actor<typeof machine> | undefined;

/** Starts files in the last chosen languages. If that is not possible, opens the upload page, which explains why. */
export function dropFiles(files: readonly File[]): void {
  handOver(files);
  actor ??= createActor(machine, inspected()).start();
  actor.send({ type: "files.dropped" });
}
