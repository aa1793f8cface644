import { createActor } from "xstate";
import type { Installation, ModelsAnswer } from "#contract/index.ts";
import type { ModelCommand, ModelsEvent } from "#machines/models/events.ts";
import { modelsMachine } from "#machines/models/machine.ts";
import { initialFilter, isWorking } from "#machines/models/rules.ts";
import { selectAnswer, selectAskedRemoval, selectLoadError } from "#machines/models/selectors.ts";
import { answerWith, installation, installed, model } from "#tests/machines/models/harness.ts";
import { answered, failure, refused, said, sent, untilNextTimer } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const id = "whisper-small";
const choices = { live: { "de-DE": id }, files: {}, translation: {}, voices: {} };

function prepare(stubs: Stubs) {
  const fetchModels = stubs.asking<ModelsAnswer>();
  const perform = stubs.asking<Installation | null, { command: ModelCommand }>();
  const visibility = stubs.callback<ModelsEvent, ModelsEvent>();
  const machine = modelsMachine.provide({
    actors: { fetchModels: fetchModels.logic, perform: perform.logic, visibility: visibility.logic },
  });
  return ({ clock, inspect }: RunOptions) => {
    const actor = createActor(machine, { clock, inspect, input: { translatesInto: "es", filter: initialFilter } });
    return { actor, fetchModels, perform, visibility };
  };
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Harness) => actor.getSnapshot();
const context = (harness: Harness) => snapshot(harness).context;
const asked = ({ fetchModels }: Harness) => fetchModels;
const told = ({ perform }: Harness) => perform;
const seen = ({ visibility }: Harness) => visibility;
const works = (harness: Harness) => selectAnswer(snapshot(harness))?.models.some(isWorking);

walkTests<Harness>({
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
      may: (harness) => context(harness).commands.length < 2,
    },
    {
      ...sent<ModelsEvent>({ type: "command.requested", command: { action: "remove", id } }, "remove"),
      may: (harness) => context(harness).commands.length < 2,
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
  situation: (harness) => [
    works(harness),
    context(harness).error,
    context(harness).isVisible,
    context(harness).commands.map(({ action }) => action),
    Object.keys(context(harness).failures),
  ],
  rules: {
    "the list is asked for once at a time": ({ fetchModels }) => fetchModels.open().length <= 1,
    "one command at a time": ({ perform }) => perform.open().length <= 1,
    "nothing is removed that was not asked about": (harness) =>
      selectAskedRemoval(snapshot(harness)) === null || harness.perform.open().length === 0,
    "what is done is what was clicked first": (harness) =>
      harness.perform.open().every(({ input }) => input?.command === context(harness).commands[0]),
    "nobody looks while it waits to be looked at": (harness) =>
      !snapshot(harness).matches({ list: { shown: "due" } }) || !context(harness).isVisible,
    "what is under way is looked at every second": (harness, clock) =>
      !snapshot(harness).matches({ list: { shown: "resting" } }) || works(harness) !== true || (clock.untilNext() ?? 0) <= 1_000,
    "what was shown stays": (harness) => selectLoadError(snapshot(harness)) === null || selectAnswer(snapshot(harness)) === null,
    "one listener hears whether somebody looks": ({ visibility }) => visibility.running() <= 1,
  },
});
