import { createActor } from "xstate";
import { dropMachine } from "#machines/uploads/drop.ts";
import { answered, failure, refused, sent } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

function prepare(stubs: Stubs) {
  const begin = stubs.asking<boolean>();
  let environment = { isWaiting: false, opened: 0 };
  const machine = dropMachine.provide({
    actors: { begin: begin.logic },
    actions: {
      openFiles: () => {
        environment.isWaiting = false;
        environment.opened += 1;
      },
    },
  });
  return ({ clock, inspect }: RunOptions) => {
    environment = { isWaiting: false, opened: 0 };
    return { actor: createActor(machine, { clock, inspect }), begin, environment };
  };
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const begin = (harness: Harness) => harness.begin;
const dropped = sent({ type: "files.dropped" });

walkTests<Harness>({
  machine: dropMachine,
  prepare,
  moves: [
    {
      ...dropped,
      happen: (harness, clock) => {
        harness.environment.isWaiting = true;
        dropped.happen(harness, clock);
      },
    },
    answered("the files are begun with", begin, ({ environment }) => {
      environment.isWaiting = false;
      return true;
    }),
    answered("nothing can be transcribed", begin, () => false),
    refused("the server can't be asked", begin, failure("network")),
  ],
  situation: ({ environment }) => environment.isWaiting,
  rules: {
    "files wait exactly while they are asked about": (harness) =>
      harness.environment.isWaiting === harness.begin.open().length > 0,
    "it is asked once at a time": (harness) => harness.begin.open().length <= 1,
  },
});
