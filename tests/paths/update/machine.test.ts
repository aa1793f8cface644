import { createActor } from "xstate";
import { selectIsOffered, type UpdateEvent, updateMachine } from "#machines/update/machine.ts";
import { answered, failure, refused, said, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

function prepare(stubs: Stubs) {
  const take = stubs.asking<void>();
  const worker = stubs.callback<UpdateEvent>();
  const page = stubs.callback<UpdateEvent>();
  return ({ clock, inspect }: RunOptions) => {
    const reloadedWhileHeld: boolean[] = [];
    const machine = updateMachine.provide({
      actors: { take: take.logic, worker: worker.logic, page: page.logic },
      actions: { reload: ({ context }) => void reloadedWhileHeld.push(context.isHeld) },
    });
    return { actor: createActor(machine, { clock, inspect }), take, worker, page, reloadedWhileHeld };
  };
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const taking = ({ take }: Harness) => take;
const worker = ({ worker: said }: Harness) => said;
const page = ({ page: said }: Harness) => said;

walkTests<Harness>({
  machine: updateMachine,
  prepare,
  isLocal:
    "nothing of it needs the network: a worker that waits has been loaded, and the page that is loaded then is kept in this browser",
  moves: [
    said({ type: "version.waiting" }, worker),
    said({ type: "version.taken" }, worker),
    said({ type: "page.held" }, page),
    said({ type: "page.released" }, page),
    sent({ type: "update.requested" }),
    sent({ type: "update.postponed" }),
    answered("its worker has taken over", taking, () => undefined),
    refused("there is no such worker any more", taking, failure("internal")),
    untilNextTimer,
  ],
  situation: ({ actor, reloadedWhileHeld }) => [
    actor.getSnapshot().context.isHeld,
    actor.getSnapshot().context.isTaken,
    reloadedWhileHeld.length > 0,
  ],
  rules: {
    "nothing is reloaded while something is recorded, sent or typed": ({ reloadedWhileHeld }) =>
      !reloadedWhileHeld.includes(true),
    "nothing is offered then, either": ({ actor }) =>
      !selectIsOffered(actor.getSnapshot()) || !actor.getSnapshot().context.isHeld,
  },
});
