import { createActor } from "xstate";
import type { ModelImport } from "#contract/index.ts";
import { type ModelImportEvent, modelImportMachine, selectImportFile, selectIsImporting } from "#machines/models/import.ts";
import { installation } from "#tests/machines/models/rig.ts";
import { answered, failure, refused, sent } from "#tests/paths/harness-moves.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

function prepare(stage: Stage) {
  const sendFile = stage.asking<ModelImport>();
  const holdPage = stage.callback<ModelImportEvent>();
  const machine = modelImportMachine.provide({ actors: { sendFile: sendFile.logic, holdPage: holdPage.logic } });
  return ({ clock, inspect }: RunOptions) => {
    const actor = createActor(machine, { clock, inspect });
    const arrived: string[] = [];
    actor.on("import.arrived", ({ id }) => arrived.push(id));
    return { actor, sendFile, holdPage, arrived };
  };
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Rig) => actor.getSnapshot();

walkTests<Rig>({
  machine: modelImportMachine,
  prepare,
  moves: [
    sent({ type: "file.chosen", file: { name: "a.tar.bz2", size: 1 } }),
    sent({ type: "retry.requested" }),
    sent({ type: "cancel.requested" }),
    answered(
      "the server has it",
      ({ sendFile }: Rig) => sendFile,
      () => ({ id: "a", installation: installation() }),
    ),
    refused("the server refuses it", ({ sendFile }: Rig) => sendFile, failure("storageFull")),
    refused("nobody answers", ({ sendFile }: Rig) => sendFile, failure("network")),
  ],
  situation: (rig) => [snapshot(rig).context.error, snapshot(rig).context.file?.name],
  rules: {
    "it is sent once at a time": ({ sendFile }) => sendFile.open().length <= 1,
    "the page is held while it is sent, and not longer": (rig) =>
      rig.holdPage.running() === Number(selectIsImporting(snapshot(rig))),
    "a file that was not sent is still there": (rig) =>
      !snapshot(rig).matches("failed") || selectImportFile(snapshot(rig)) !== null,
    "what was given up is forgotten": (rig) => !snapshot(rig).matches("idle") || selectImportFile(snapshot(rig)) === null,
  },
});
