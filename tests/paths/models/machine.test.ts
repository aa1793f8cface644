import { createActor } from "xstate";
import type { Installation, ModelsAnswer } from "#contract/index.ts";
import type { ModelCommand, ModelsEvent } from "#machines/models/events.ts";
import { modelsMachine } from "#machines/models/machine.ts";
import { initialFilter, isWorking } from "#machines/models/rules.ts";
import { selectAnswer, selectAskedRemoval, selectLoadError } from "#machines/models/selectors.ts";
import { answerWith, installation, installed, model } from "#tests/machines/models/rig.ts";
import { answered, failure, refused, said, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const id = "whisper-small";
const choices = { live: { "de-DE": id }, files: {}, translation: {}, voices: {} };

function prepare(stage: Stage) {
  const fetchModels = stage.asking<ModelsAnswer>();
  const perform = stage.asking<Installation | null, { command: ModelCommand }>();
  const visibility = stage.callback<ModelsEvent, ModelsEvent>();
  const machine = modelsMachine.provide({
    actors: { fetchModels: fetchModels.logic, perform: perform.logic, visibility: visibility.logic },
  });
  return ({ clock, inspect }: RunOptions) => {
    const actor = createActor(machine, { clock, inspect, input: { translatesInto: "es", filter: initialFilter } });
    return { actor, fetchModels, perform, visibility };
  };
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Rig) => actor.getSnapshot();
const context = (rig: Rig) => snapshot(rig).context;
const asked = ({ fetchModels }: Rig) => fetchModels;
const told = ({ perform }: Rig) => perform;
const seen = ({ visibility }: Rig) => visibility;
const works = (rig: Rig) => selectAnswer(snapshot(rig))?.models.some(isWorking);

walkTests<Rig>({
  machine: modelsMachine,
  prepare,
  moves: [
    sent({ type: "retry.requested" }),
    sent({ type: "models.changed" }),
    sent({ type: "choices.saved", choices }),
    sent({ type: "target.chosen", language: "de" }),
    sent({ type: "filter.changed", filter: { search: "x" } }),
    sent({ type: "failure.dismissed", id }),
    {
      // More than two waiting differ in nothing but their number.
      ...sent<ModelsEvent>({ type: "command.requested", command: { action: "install", id } }, "install"),
      may: (rig) => context(rig).commands.length < 2,
    },
    {
      ...sent<ModelsEvent>({ type: "command.requested", command: { action: "remove", id } }, "remove"),
      may: (rig) => context(rig).commands.length < 2,
    },
    sent({ type: "command.confirmed" }),
    sent({ type: "command.dismissed" }),
    said({ type: "page.shown" }, seen, "somebody looks"),
    said({ type: "page.hidden" }, seen, "nobody looks"),
    answered("the list comes", asked, () => answerWith(model({ installed }))),
    answered("the list comes, with a download", asked, () => answerWith(model({ installation: installation() }))),
    refused("the list can't be had", asked, failure("network")),
    answered("the server does it", told, () => installation({ state: "waiting" })),
    refused("the server refuses it", told, failure("conflict")),
    untilNextTimer,
  ],
  situation: (rig) => [
    works(rig),
    context(rig).error,
    context(rig).isVisible,
    context(rig).commands.map(({ action }) => action),
    Object.keys(context(rig).failures),
  ],
  rules: {
    "the list is asked for once at a time": ({ fetchModels }) => fetchModels.open().length <= 1,
    "one command at a time": ({ perform }) => perform.open().length <= 1,
    "nothing is removed that was not asked about": (rig) =>
      selectAskedRemoval(snapshot(rig)) === null || rig.perform.open().length === 0,
    "what is done is what was clicked first": (rig) =>
      rig.perform.open().every(({ input }) => input?.command === context(rig).commands[0]),
    "nobody looks while it waits to be looked at": (rig) =>
      !snapshot(rig).matches({ list: { shown: "due" } }) || !context(rig).isVisible,
    "what is under way is looked at every second": (rig, clock) =>
      !snapshot(rig).matches({ list: { shown: "resting" } }) || works(rig) !== true || (clock.untilNext() ?? 0) <= 1_000,
    "what was shown stays": (rig) => selectLoadError(snapshot(rig)) === null || selectAnswer(snapshot(rig)) === null,
    "one listener hears whether somebody looks": ({ visibility }) => visibility.running() <= 1,
  },
});
