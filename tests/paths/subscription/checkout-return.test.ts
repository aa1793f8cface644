import { createActor } from "xstate";
import { type Blocked, checkoutReturnMachine, selectOutcome } from "#machines/subscription/checkout-return.ts";
import { answer, answered, failure, refused, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const most = 15;
const blocked: readonly Blocked[] = [{ id: "t1", title: "Long" }];

function prepare(stubs: Stubs) {
  const ask = stubs.asking<boolean>();
  const findBlocked = stubs.asking<readonly Blocked[]>();
  const transcribe = stubs.asking<void, { blocked: readonly Blocked[] }>();
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
type Harness = ReturnType<ReturnType<typeof prepare>>;

const context = ({ actor }: Harness) => actor.getSnapshot().context;
const outcome = ({ actor }: Harness) => selectOutcome(actor.getSnapshot());
const asked = ({ ask }: Harness) => ask;

walkTests<Harness>({
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
      ({ findBlocked }: Harness) => findBlocked,
      () => blocked,
    ),
    answered(
      "nothing was too long",
      ({ findBlocked }: Harness) => findBlocked,
      () => [],
    ),
    refused("nobody knows what was too long", ({ findBlocked }: Harness) => findBlocked, failure("network")),
    sent({ type: "transcribing.requested" }),
    answered(
      "it is being transcribed",
      ({ transcribe }: Harness) => transcribe,
      () => undefined,
    ),
    refused("it is not transcribed", ({ transcribe }: Harness) => transcribe, failure("network")),
  ],
  outage: { "something was too long": "it is in the history all the same, where it can be begun" },
  situation: (harness) => [context(harness).asked, context(harness).blocked, context(harness).code, harness.began() > 0],
  rules: {
    "nothing is transcribed before it is paid, nor unasked": (harness) =>
      harness.transcribe.open().length === 0 || harness.actor.getSnapshot().matches({ confirmed: "beginning" }),
    "what is transcribed is what was too long": (harness) =>
      harness.transcribe.open().every(({ input }) => input?.blocked === blocked),
    "the page goes on once it has begun": (harness) => harness.began() === 0 || harness.transcribe.times() > 0,
    "one question at a time": ({ ask }) => ask.open().length <= 1,
    "nobody asks for ever": (harness) => context(harness).asked <= most,
    "it is confirmed by the server alone": (harness) => outcome(harness) !== "confirmed" || harness.ask.times() > 0,
    "nobody is asked once the outcome is known": (harness) =>
      harness.ask.open().length > 0 === harness.actor.getSnapshot().matches("asking"),
    "it is given up after fifteen questions": (harness) => outcome(harness) !== "unconfirmed" || context(harness).asked === most,
  },
});
