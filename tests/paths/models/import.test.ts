import { createActor } from "xstate";
import type { ModelImport } from "#contract/index.ts";
import { type ModelImportEvent, modelImportMachine, selectImportFile, selectIsImporting } from "#machines/models/import.ts";
import { installation } from "#tests/machines/models/harness.ts";
import { answered, failure, refused, sent } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

function prepare(stubs: Stubs) {
  const sendFile = stubs.asking<ModelImport>();
  const holdPage = stubs.callback<ModelImportEvent>();
  const machine = modelImportMachine.provide({ actors: { sendFile: sendFile.logic, holdPage: holdPage.logic } });
  return ({ clock, inspect }: RunOptions) => {
    const actor = createActor(machine, { clock, inspect });
    const arrived: string[] = [];
    actor.on("import.arrived", ({ id }) => arrived.push(id));
    return { actor, sendFile, holdPage, arrived };
  };
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: Harness) => actor.getSnapshot();

walkTests<Harness>({
  machine: modelImportMachine,
  prepare,
  moves: [
    sent({ type: "file.chosen", file: { name: "a.tar.bz2", size: 1 } }),
    sent({ type: "retry.requested" }),
    sent({ type: "cancel.requested" }),
    answered(
      "the server has it",
      ({ sendFile }: Harness) => sendFile,
      () => ({ id: "a", installation: installation() }),
    ),
    refused("the server refuses it", ({ sendFile }: Harness) => sendFile, failure("storageFull")),
    refused("nobody answers", ({ sendFile }: Harness) => sendFile, failure("network")),
  ],
  situation: (harness) => [snapshot(harness).context.error, snapshot(harness).context.file?.name],
  rules: {
    "it is sent once at a time": ({ sendFile }) => sendFile.open().length <= 1,
    "the page is held while it is sent, and not longer": (harness) =>
      harness.holdPage.running() === Number(selectIsImporting(snapshot(harness))),
    "a file that was not sent is still there": (harness) =>
      !snapshot(harness).matches("failed") || selectImportFile(snapshot(harness)) !== null,
    "what was given up is forgotten": (harness) =>
      !snapshot(harness).matches("idle") || selectImportFile(snapshot(harness)) === null,
  },
});
