import { createActor } from "xstate";
import { type SubmissionResult, submissionMachine, type Values } from "#machines/submission.ts";
import { answered, failure, refused, sent } from "./harness-moves.ts";
import type { Stage } from "./harness-stage.ts";
import { type RunOptions, walkTests } from "./harness-walk.ts";

const check = ({ email }: Values): Values => (email?.includes("@") ? {} : { email: "account.emailInvalid" });
const done: SubmissionResult = { kind: "done" };
const taken: SubmissionResult = { kind: "refused", message: { key: "errors.emailTaken" } };
const right = "ada@example.org";

function prepare(stage: Stage) {
  const submit = stage.asking<SubmissionResult, Values>();
  const machine = submissionMachine.provide({ actors: { submit: submit.logic } });
  return ({ clock, inspect }: RunOptions) => {
    const input = { initial: { email: "" }, check, unknown: { key: "errors.internal" } };
    const actor = createActor(machine, { clock, inspect, input });
    let done = 0;
    actor.on("submission.done", () => {
      done += 1;
    });
    return { actor, submit, done: () => done };
  };
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const context = ({ actor }: Rig) => actor.getSnapshot().context;
const isSubmitting = ({ actor }: Rig) => actor.getSnapshot().matches("submitting");
const asked = ({ submit }: Rig) => submit;

walkTests<Rig>({
  machine: submissionMachine,
  prepare,
  simple: true,
  moves: [
    sent({ type: "field.changed", field: "email", value: "ad" }, "something wrong is typed"),
    sent({ type: "field.changed", field: "email", value: right }, "something right is typed"),
    sent({ type: "submit.requested", values: { email: "ad" } }, "something wrong is sent"),
    sent({ type: "submit.requested", values: { email: right } }, "something right is sent"),
    answered("it works", asked, () => done),
    answered("it is refused", asked, () => taken),
    refused("it breaks", asked, failure("internal")),
    refused("nobody answers", asked, failure("network")),
  ],
  situation: (rig) => [context(rig).values, context(rig).fieldErrors, context(rig).message],
  rules: {
    "a form is sent once at a time": ({ submit }) => submit.open().length <= 1,
    "only what is right is sent": (rig) => !isSubmitting(rig) || Object.keys(check(context(rig).values)).length === 0,
    "what is sent is what was typed": ({ submit, ...rig }) =>
      submit.open().every(({ input }) => input === rig.actor.getSnapshot().context.values),
    "a failure says why": (rig) => !rig.actor.getSnapshot().matches("failed") || context(rig).message !== null,
    "success is emitted once": (rig) => rig.done() === (rig.actor.getSnapshot().matches("done") ? 1 : 0),
  },
});
