import { createActor } from "xstate";
import { dropMachine } from "#machines/uploads/drop.ts";
import { answered, failure, refused, sent } from "#tests/paths/harness-moves.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

function prepare(stage: Stage) {
  const begin = stage.asking<boolean>();
  let world = { isWaiting: false, opened: 0 };
  const machine = dropMachine.provide({
    actors: { begin: begin.logic },
    actions: {
      openFiles: () => {
        world.isWaiting = false;
        world.opened += 1;
      },
    },
  });
  return ({ clock, inspect }: RunOptions) => {
    world = { isWaiting: false, opened: 0 };
    return { actor: createActor(machine, { clock, inspect }), begin, world };
  };
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const begin = (rig: Rig) => rig.begin;
const dropped = sent({ type: "files.dropped" });

walkTests<Rig>({
  machine: dropMachine,
  prepare,
  moves: [
    {
      ...dropped,
      happen: (rig, clock) => {
        rig.world.isWaiting = true;
        dropped.happen(rig, clock);
      },
    },
    answered("the files are begun with", begin, ({ world }) => {
      world.isWaiting = false;
      return true;
    }),
    answered("nothing can be transcribed", begin, () => false),
    refused("the server can't be asked", begin, failure("network")),
  ],
  situation: ({ world }) => world.isWaiting,
  rules: {
    "files wait exactly while they are asked about": (rig) => rig.world.isWaiting === rig.begin.open().length > 0,
    "it is asked once at a time": (rig) => rig.begin.open().length <= 1,
  },
});
