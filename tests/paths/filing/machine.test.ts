import { createActor } from "xstate";
import type { FilingAnswer } from "#contract/index.ts";
import type { FilingEvent } from "#machines/filing/events.ts";
import { filingMachine, selectFailure, selectIsOffered, selectIsSaving } from "#machines/filing/machine.ts";
import type { FilingEdit } from "#machines/filing/rules.ts";
import { answered, failure, refused, said, sent } from "#tests/paths/harness-moves.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const none: FilingAnswer = { folders: [], tags: [] };
const made: FilingEdit = { kind: "folder", id: null, draft: { name: "Work" } };

function prepare(stage: Stage) {
  const load = stage.asking<FilingAnswer>();
  const save = stage.asking<string, FilingEdit>();
  const wakeUps = stage.callback<FilingEvent, FilingEvent>();
  const machine = filingMachine.provide({ actors: { load: load.logic, save: save.logic, wakeUps: wakeUps.logic } });
  return ({ clock, inspect }: RunOptions) => ({ actor: createActor(machine, { clock, inspect }), load, save, wakeUps });
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const loading = ({ load }: Rig) => load;
const saving = ({ save }: Rig) => save;
const snapshot = ({ actor }: Rig) => actor.getSnapshot();

walkTests<Rig>({
  machine: filingMachine,
  prepare,
  moves: [
    sent<FilingEvent>({ type: "reload.requested" }),
    sent<FilingEvent>({ type: "failure.dismissed" }),
    sent<FilingEvent>({ type: "edit.requested", edit: made }, "a folder is made"),
    sent<FilingEvent>({ type: "edit.requested", edit: { kind: "folder", id: "w", draft: null } }, "it is deleted"),
    sent<FilingEvent>({ type: "filing.received", filing: none }, "another tab has deleted all"),
    said<Rig, FilingEvent, FilingEvent, unknown>({ type: "page.resumed" }, ({ wakeUps }) => wakeUps),
    answered("they come", loading, () => none),
    refused("they don't come", loading, failure("network")),
    refused("the server has none", loading, failure("notOffered")),
    answered("it is saved", saving, () => "w"),
    refused("it can't be saved", saving, failure("network")),
  ],
  situation: (rig) => [
    snapshot(rig).context.received !== null,
    snapshot(rig).context.filing.folders.length,
    selectFailure(snapshot(rig)),
    snapshot(rig).context.edit?.id,
  ],
  rules: {
    "one call at a time": ({ load, save }) => load.open().length + save.open().length <= 1,
    "it is saving as long as the server is asked": (rig) => selectIsSaving(snapshot(rig)) === rig.save.open().length > 0,
    "a failure is not said while it is tried again": (rig) =>
      rig.save.open().length === 0 || selectFailure(snapshot(rig)) === null,
    "nothing is offered before it is here": (rig) => !(selectIsOffered(snapshot(rig)) && rig.load.open().length > 0),
  },
});
