import { createActor } from "xstate";
import type { FilingAnswer } from "#contract/index.ts";
import type { FilingEvent } from "#machines/filing/events.ts";
import { filingMachine, selectFailure, selectIsOffered, selectIsSaving } from "#machines/filing/machine.ts";
import type { FilingEdit } from "#machines/filing/rules.ts";
import { answered, failure, refused, said, sent } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const none: FilingAnswer = { folders: [], tags: [] };
const made: FilingEdit = { kind: "folder", id: null, draft: { name: "Work" } };

function prepare(stubs: Stubs) {
  const load = stubs.asking<FilingAnswer>();
  const save = stubs.asking<string, FilingEdit>();
  const wakeUps = stubs.callback<FilingEvent, FilingEvent>();
  const machine = filingMachine.provide({ actors: { load: load.logic, save: save.logic, wakeUps: wakeUps.logic } });
  return ({ clock, inspect }: RunOptions) => ({ actor: createActor(machine, { clock, inspect }), load, save, wakeUps });
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const loading = ({ load }: Harness) => load;
const saving = ({ save }: Harness) => save;
const snapshot = ({ actor }: Harness) => actor.getSnapshot();

walkTests<Harness>({
  machine: filingMachine,
  prepare,
  moves: [
    sent<FilingEvent>({ type: "reload.requested" }),
    sent<FilingEvent>({ type: "failure.dismissed" }),
    sent<FilingEvent>({ type: "edit.requested", edit: made }, "a folder is made"),
    sent<FilingEvent>({ type: "edit.requested", edit: { kind: "folder", id: "w", draft: null } }, "it is deleted"),
    sent<FilingEvent>({ type: "filing.received", filing: none }, "another tab has deleted all"),
    said<Harness, FilingEvent, FilingEvent, unknown>({ type: "page.resumed" }, ({ wakeUps }) => wakeUps),
    answered("they come", loading, () => none),
    refused("they don't come", loading, failure("network")),
    refused("the server has none", loading, failure("notOffered")),
    answered("it is saved", saving, () => "w"),
    refused("it can't be saved", saving, failure("network")),
  ],
  situation: (harness) => [
    snapshot(harness).context.received !== null,
    snapshot(harness).context.filing.folders.length,
    selectFailure(snapshot(harness)),
    snapshot(harness).context.edit?.id,
  ],
  rules: {
    "one call at a time": ({ load, save }) => load.open().length + save.open().length <= 1,
    "it is saving as long as the server is asked": (harness) =>
      selectIsSaving(snapshot(harness)) === harness.save.open().length > 0,
    "a failure is not said while it is tried again": (harness) =>
      harness.save.open().length === 0 || selectFailure(snapshot(harness)) === null,
    "nothing is offered before it is here": (harness) => !(selectIsOffered(snapshot(harness)) && harness.load.open().length > 0),
  },
});
