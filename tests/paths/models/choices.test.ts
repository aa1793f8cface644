import { createActor } from "xstate";
import type { ModelChoices } from "#contract/index.ts";
import { type ChoiceEdit, type ModelChoicesEvent, modelChoicesMachine, selectEdits } from "#machines/models/choices.ts";
import { answered, failure, refused, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const none: ModelChoices = { live: {}, files: {}, translation: {}, voices: {} };
const edit: ChoiceEdit = { of: "live", key: "de-DE", value: "a" };

function prepare(stage: Stage) {
  const save = stage.asking<ModelChoices, { edits: readonly ChoiceEdit[] }>();
  const machine = modelChoicesMachine.provide({ actors: { save: save.logic } });
  return ({ clock, inspect }: RunOptions) => ({ actor: createActor(machine, { clock, inspect }), save });
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Rig) => actor.getSnapshot();
const edits = (rig: Rig) => selectEdits(snapshot(rig));

walkTests<Rig>({
  machine: modelChoicesMachine,
  prepare,
  moves: [
    {
      // More than two unsaved ones differ in nothing but their number.
      ...sent<ModelChoicesEvent>({ type: "choice.changed", edit }),
      may: (rig) => edits(rig).length < 2,
    },
    sent({ type: "retry.requested" }),
    sent({ type: "choice.discarded" }),
    answered(
      "it is saved",
      ({ save }: Rig) => save,
      () => none,
    ),
    refused("it can't be saved", ({ save }: Rig) => save, failure("network")),
    untilNextTimer,
  ],
  situation: (rig) => [edits(rig).length, snapshot(rig).context.sending, snapshot(rig).context.error],
  rules: {
    "one save at a time": ({ save }) => save.open().length <= 1,
    "what is not saved is being saved, or was refused": (rig) =>
      edits(rig).length === 0 || rig.save.open().length === 1 || snapshot(rig).matches("failed"),
    "nothing is said to be saved that is not": (rig) => !snapshot(rig).matches("saved") || edits(rig).length === 0,
    "a failure is not said while it is tried again": (rig) =>
      rig.save.open().length === 0 || snapshot(rig).context.error === null,
  },
});
