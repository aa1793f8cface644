import { type ActorRefFrom, createActor, fromPromise } from "xstate";
import { inspectionMachine } from "#machines/inspection/machine.ts";
import { inspected } from "#src/browser/inspection.ts";
import { endLayout, layOut } from "./layout.ts";
import { browserLettering } from "./lettering.ts";
import { type WatchedMachines, watchMachines } from "./watched-machines.ts";

const machine = inspectionMachine.provide({
  actors: { layout: fromPromise(({ input }) => layOut(input, browserLettering())) },
});

export interface Inspector {
  actor: ActorRefFrom<typeof machine>;
  /** Sends an event to the live machine again. */
  replay: WatchedMachines["replay"];
}

let open: (Inspector & { stop(): void }) | undefined;

/** What /debug/machines shows: the same until the page is left. */
export function openMachines(): Inspector {
  open ??= start();
  return open;
}

function start() {
  const actor = createActor(machine, { ...inspected() }).start();
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

export function closeMachines(): void {
  open?.stop();
  open = undefined;
}
