import { createActor } from "xstate";
import type { ModelChoices } from "#contract/index.ts";
import { type ChoiceEdit, type ModelChoicesEvent, modelChoicesMachine, selectEdits } from "#machines/models/choices.ts";
import { answered, failure, refused, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const none: ModelChoices = { live: {}, files: {}, translation: {}, voices: {} };
const edit: ChoiceEdit = { of: "live", key: "de-DE", value: "a" };

function prepare(stubs: Stubs) {
  const save = stubs.asking<ModelChoices, { edits: readonly ChoiceEdit[] }>();
  const machine = modelChoicesMachine.provide({ actors: { save: save.logic } });
  return ({ clock, inspect }: RunOptions) => ({ actor: createActor(machine, { clock, inspect }), save });
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Harness) => actor.getSnapshot();
const edits = (harness: Harness) => selectEdits(snapshot(harness));

walkTests<Harness>({
  machine: modelChoicesMachine,
  prepare,
  moves: [
    {
      // More than two unsaved ones differ in nothing but their number.
      ...sent<ModelChoicesEvent>({ type: "choice.changed", edit }),
      may: (harness) => edits(harness).length < 2,
    },
    sent({ type: "retry.requested" }),
    sent({ type: "choice.discarded" }),
    answered(
      "it is saved",
      ({ save }: Harness) => save,
      () => none,
    ),
    refused("it can't be saved", ({ save }: Harness) => save, failure("network")),
    untilNextTimer,
  ],
  situation: (harness) => [edits(harness).length, snapshot(harness).context.sending, snapshot(harness).context.error],
  rules: {
    "one save at a time": ({ save }) => save.open().length <= 1,
    "what is not saved is being saved, or was refused": (harness) =>
      edits(harness).length === 0 || harness.save.open().length === 1 || snapshot(harness).matches("failed"),
    "nothing is said to be saved that is not": (harness) => !snapshot(harness).matches("saved") || edits(harness).length === 0,
    "a failure is not said while it is tried again": (harness) =>
      harness.save.open().length === 0 || snapshot(harness).context.error === null,
  },
});
