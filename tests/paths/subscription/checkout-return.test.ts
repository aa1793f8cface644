import { createActor } from "xstate";
import { type Blocked, checkoutReturnMachine, selectOutcome } from "#machines/subscription/checkout-return.ts";
import { answer, answered, failure, refused, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const most = 15;
const blocked: readonly Blocked[] = [{ id: "t1", title: "Long" }];

function prepare(stage: Stage) {
  const ask = stage.asking<boolean>();
  const findBlocked = stage.asking<readonly Blocked[]>();
  const transcribe = stage.asking<void, { blocked: readonly Blocked[] }>();
  const machine = checkoutReturnMachine.provide({
    actors: { ask: ask.logic, findBlocked: findBlocked.logic, transcribe: transcribe.logic },
  });
  return ({ clock, inspect }: RunOptions) => {
    const actor = createActor(machine, { clock, inspect });
    let began = 0;
    actor.on("transcribing.began", () => {
      began += 1;
    });
    return { actor, ask, findBlocked, transcribe, began: () => began };
  };
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
    answered(
      "something was too long",
      ({ findBlocked }: Rig) => findBlocked,
      () => blocked,
    ),
    answered(
      "nothing was too long",
      ({ findBlocked }: Rig) => findBlocked,
      () => [],
    ),
    refused("nobody knows what was too long", ({ findBlocked }: Rig) => findBlocked, failure("network")),
    sent({ type: "transcribing.requested" }),
    answered(
      "it is being transcribed",
      ({ transcribe }: Rig) => transcribe,
      () => undefined,
    ),
    refused("it is not transcribed", ({ transcribe }: Rig) => transcribe, failure("network")),
  ],
  outage: { "something was too long": "it is in the history all the same, where it can be begun" },
  situation: (rig) => [context(rig).asked, context(rig).blocked, context(rig).code, rig.began() > 0],
  rules: {
    "nothing is transcribed before it is paid, nor unasked": (rig) =>
      rig.transcribe.open().length === 0 || rig.actor.getSnapshot().matches({ confirmed: "beginning" }),
    "what is transcribed is what was too long": (rig) => rig.transcribe.open().every(({ input }) => input?.blocked === blocked),
    "the page goes on once it has begun": (rig) => rig.began() === 0 || rig.transcribe.times() > 0,
    "one question at a time": ({ ask }) => ask.open().length <= 1,
    "nobody asks for ever": (rig) => context(rig).asked <= most,
    "it is confirmed by the server alone": (rig) => outcome(rig) !== "confirmed" || rig.ask.times() > 0,
    "nobody is asked once the outcome is known": (rig) => rig.ask.open().length > 0 === rig.actor.getSnapshot().matches("asking"),
    "it is given up after fifteen questions": (rig) => outcome(rig) !== "unconfirmed" || context(rig).asked === most,
  },
});
