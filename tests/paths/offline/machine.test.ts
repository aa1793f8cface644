import { createActor } from "xstate";
import { type OfflineEvent, offlineMachine, selectIsAway } from "#machines/offline/machine.ts";
import { answered, refused, said, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

function prepare(stubs: Stubs) {
  const ask = stubs.asking<void>();
  const network = stubs.callback<OfflineEvent>();
  const machine = offlineMachine.provide({ actors: { ask: ask.logic, network: network.logic } });
  return ({ clock, inspect }: RunOptions) => ({
    actor: createActor(machine, { clock, inspect }),
    ask,
    network,
  });
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const asked = ({ ask }: Harness) => ask;
const network = ({ network }: Harness) => network;

walkTests<Harness>({
  machine: offlineMachine,
  prepare,
  moves: [
    said({ type: "network.lost" }, network),
    said({ type: "network.found" }, network),
    said({ type: "server.missed" }, network),
    answered("the server answers", asked, () => undefined),
    refused("there is no answer", asked, Object.assign(new Error("network"), { code: "network" })),
    untilNextTimer,
  ],
  situation: ({ actor }) => [Math.min(actor.getSnapshot().context.attempts, 2)],
  rules: {
    "the server is asked only while it is away": ({ actor, ask }) => ask.open().length === 0 || selectIsAway(actor.getSnapshot()),
    "one question at a time": ({ ask }) => ask.open().length <= 1,
  },
});
