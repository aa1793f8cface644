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
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

function prepare(stage: Stage) {
  const load = stage.asking<PendingSignIn>();
  const check = stage.asking<SteppedIn, { proof: string }>();
  return ({ clock, inspect }: RunOptions) => {
    const done = { begun: "", isRight: false };
    const machine = secondStepMachine.provide({
      actors: { load: load.logic, check: check.logic },
      actions: {
        begin: (_, { output }) => {
          done.begun = output.accessToken;
        },
      },
    });
    return { actor: createActor(machine, { clock, inspect }), load, check, done };
  };
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const now = ({ actor }: Rig) => actor.getSnapshot();
const loading = ({ load }: Rig) => load;
const checking = ({ check }: Rig) => check;

walkTests<Rig>({
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
  situation: (rig) => [now(rig).context.kind, now(rig).context.failure, now(rig).context.email, rig.done],
  rules: {
    "nobody is signed in without a right code": ({ done }) => done.begun === "" || done.isRight,
    "who has typed a right code is signed in": (rig) => (rig.done.begun === "t") === now(rig).matches("signedIn"),
    "one call at a time": ({ load, check }) => load.open().length + check.open().length <= 1,
    "a code is there while it is sent, and no longer": (rig) => (now(rig).context.proof !== "") === selectIsChecking(now(rig)),
    "there is always something to do, or to wait for": (rig) =>
      rig.load.open().length > 0 ||
      selectEmail(now(rig)) !== null ||
      selectHasFailed(now(rig)) ||
      selectIsOver(now(rig)) ||
      now(rig).matches("signedIn"),
  },
});
