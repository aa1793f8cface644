import { createActor } from "xstate";
import type { PendingSignIn } from "#contract/index.ts";
import {
  type SteppedIn,
  secondStepMachine,
  selectEmail,
  selectHasFailed,
  selectIsChecking,
  selectIsOver,
} from "#machines/second-factor/step.ts";
import { answered, failure, refused, sent } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

function prepare(stubs: Stubs) {
  const load = stubs.asking<PendingSignIn>();
  const check = stubs.asking<SteppedIn, { proof: string }>();
  return ({ clock, inspect }: RunOptions) => {
    const done = { begun: "", isRight: false };
    const machine = secondStepMachine.provide({
      actors: { load: load.logic, check: check.logic },
      actions: {
        begin: (_, { accessToken }) => {
          done.begun = accessToken;
        },
      },
    });
    return { actor: createActor(machine, { clock, inspect }), load, check, done };
  };
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const now = ({ actor }: Harness) => actor.getSnapshot();
const loading = ({ load }: Harness) => load;
const checking = ({ check }: Harness) => check;

walkTests<Harness>({
  machine: secondStepMachine,
  prepare,
  moves: [
    answered("a sign-in waits", loading, () => ({ email: "a@example.org" })),
    refused("none waits", loading, failure("gone")),
    refused("nobody knows whether one waits", loading, failure("network")),
    sent({ type: "reload.requested" }),
    sent({ type: "code.submitted", proof: "000000" }, "a code is typed"),
    sent({ type: "code.submitted", proof: " " }, "no code is typed"),
    sent({ type: "kind.changed", kind: "recovery" }, "a recovery code is to be typed"),
    sent({ type: "kind.changed", kind: "app" }, "a code of the app is to be typed"),
    answered("the code is right", checking, ({ done }) => {
      done.isRight = true;
      return { accessToken: "t" };
    }),
    refused("the code is wrong", checking, failure("wrongCode")),
    refused("too many were wrong", checking, failure("gone")),
    refused("nothing is answered to the code", checking, failure("network")),
  ],
  situation: (harness) => [now(harness).context.kind, now(harness).context.failure, now(harness).context.email, harness.done],
  rules: {
    "nobody is signed in without a right code": ({ done }) => done.begun === "" || done.isRight,
    "who has typed a right code is signed in": (harness) => (harness.done.begun === "t") === now(harness).matches("signedIn"),
    "one call at a time": ({ load, check }) => load.open().length + check.open().length <= 1,
    "a code is there while it is sent, and no longer": (harness) =>
      (now(harness).context.proof !== "") === selectIsChecking(now(harness)),
    "there is always something to do, or to wait for": (harness) =>
      harness.load.open().length > 0 ||
      selectEmail(now(harness)) !== null ||
      selectHasFailed(now(harness)) ||
      selectIsOver(now(harness)) ||
      now(harness).matches("signedIn"),
  },
});
