import { createActor } from "xstate";
import type { Template, TemplatesAnswer } from "#contract/index.ts";
import {
  selectDefaultFailure,
  selectFailure,
  selectIsSaving,
  type TemplateChange,
  templatesMachine,
} from "#machines/insights/templates.ts";
import { answered, failure, refused, sent } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const mine: Template = { id: "m", name: "Mine", prompt: "Why?" };
const draft = { name: "New", prompt: "Who?" };

function prepare(stubs: Stubs) {
  const load = stubs.asking<TemplatesAnswer>();
  const save = stubs.asking<TemplatesAnswer, TemplateChange>();
  const machine = templatesMachine.provide({ actors: { load: load.logic, save: save.logic } });
  return ({ clock, inspect }: RunOptions) => ({ actor: createActor(machine, { clock, inspect }), load, save });
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const loading = ({ load }: Harness) => load;
const saving = ({ save }: Harness) => save;
const context = ({ actor }: Harness) => actor.getSnapshot().context;

function savedAs(change: TemplateChange | undefined): TemplatesAnswer {
  if (change?.type === "default") return { templates: [mine], defaults: [{ folderId: "f", template: "m" }] };
  return { templates: change?.draft ? [{ id: "m", ...change.draft }] : [], defaults: [] };
}

walkTests<Harness>({
  machine: templatesMachine,
  prepare,
  moves: [
    sent({ type: "reload.requested" }),
    sent({ type: "template.saved", id: null, draft }, "a new one is saved"),
    sent({ type: "template.saved", id: "m", draft }, "one is changed"),
    sent({ type: "template.removed", id: "m" }),
    sent({ type: "default.chosen", folderId: "f", template: "m" }),
    answered("they come", loading, () => ({ templates: [mine], defaults: [] })),
    refused("they don't come", loading, failure("network")),
    answered("it is saved", saving, (_, input) => savedAs(input)),
    refused("it can't be saved", saving, failure("network")),
  ],
  situation: (harness) => [context(harness).answer, context(harness).failure, context(harness).change],
  rules: {
    "one call at a time": ({ load, save }) => load.open().length + save.open().length <= 1,
    "a failure is not said while it is tried again": ({ actor, save }) =>
      save.open().length === 0 || (selectFailure(actor.getSnapshot()) ?? selectDefaultFailure(actor.getSnapshot())) === null,
    "it is saving as long as the server is asked": ({ actor, save }) =>
      selectIsSaving(actor.getSnapshot()) === save.open().length > 0,
  },
});
