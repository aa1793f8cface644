import { createActor } from "xstate";
import { checkoutReturnMachine, selectOutcome } from "#machines/subscription/checkout-return.ts";
import { answer, answered, failure, refused, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const most = 15;

function prepare(stage: Stage) {
  const ask = stage.asking<boolean>();
  const machine = checkoutReturnMachine.provide({ actors: { ask: ask.logic } });
  return ({ clock, inspect }: RunOptions) => ({ actor: createActor(machine, { clock, inspect }), ask, started: clock.now() });
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const context = ({ actor }: Rig) => actor.getSnapshot().context;
const outcome = ({ actor }: Rig) => selectOutcome(actor.getSnapshot());
const asked = ({ ask }: Rig) => ask;

walkTests<Rig>({
  machine: checkoutReturnMachine,
  prepare,
  moves: [
    answered("it is paid", asked, () => true),
    answered("it is not known yet", asked, () => false),
    refused("nobody answers", asked, failure("network")),
    refused("nobody is signed in", asked, answer(401, "unauthorized")),
    untilNextTimer,
    sent({ type: "retry.requested" }),
  ],
  situation: (rig) => context(rig).asked,
  rules: {
    "one question at a time": ({ ask }) => ask.open().length <= 1,
    "nobody asks for ever": (rig) => context(rig).asked <= most,
    "it is confirmed by the server alone": (rig) => outcome(rig) !== "confirmed" || rig.ask.times() > 0,
    "nobody is asked once the outcome is known": (rig) => rig.ask.open().length > 0 === rig.actor.getSnapshot().matches("asking"),
    "it is given up after fifteen questions": (rig) => outcome(rig) !== "unconfirmed" || context(rig).asked === most,
  },
});
