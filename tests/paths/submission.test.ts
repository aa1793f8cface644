import { createActor } from "xstate";
import { type SubmissionResult, submissionMachine, type Values } from "#machines/submission.ts";
import { answered, failure, refused, sent } from "./harness-moves.ts";
import type { Stubs } from "./harness-stubs.ts";
import { type RunOptions, walkTests } from "./harness-walk.ts";

const check = ({ email }: Values): Values => (email?.includes("@") ? {} : { email: "account.emailInvalid" });
const done: SubmissionResult = { kind: "done" };
const taken: SubmissionResult = { kind: "refused", message: { key: "errors.emailTaken" } };
const right = "ada@example.org";

function prepare(stubs: Stubs) {
  const submit = stubs.asking<SubmissionResult, Values>();
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
type Harness = ReturnType<ReturnType<typeof prepare>>;

const context = ({ actor }: Harness) => actor.getSnapshot().context;
const isSubmitting = ({ actor }: Harness) => actor.getSnapshot().matches("submitting");
const asked = ({ submit }: Harness) => submit;

walkTests<Harness>({
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
  situation: (harness) => [context(harness).values, context(harness).fieldErrors, context(harness).message],
  rules: {
    "a form is sent once at a time": ({ submit }) => submit.open().length <= 1,
    "only what is right is sent": (harness) => !isSubmitting(harness) || Object.keys(check(context(harness).values)).length === 0,
    "what is sent is what was typed": ({ submit, ...harness }) =>
      submit.open().every(({ input }) => input === harness.actor.getSnapshot().context.values),
    "a failure says why": (harness) => !harness.actor.getSnapshot().matches("failed") || context(harness).message !== null,
    "success is emitted once": (harness) => harness.done() === (harness.actor.getSnapshot().matches("done") ? 1 : 0),
  },
});
