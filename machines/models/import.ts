import { assign, emit, fromCallback, fromPromise, type SnapshotFrom, setup } from "xstate";
import type { ModelImport } from "#contract/index.ts";
import { codeOf, type Failed } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";

/** The file that a model is imported from. The `File` itself stays with the actor that sends it. */
export interface ImportFile {
  name: string;
  /** Bytes. */
  size: number;
}

export type ModelImportEvent =
  /** The person has chosen a file. */
  | { type: "file.chosen"; file: ImportFile }
  | { type: "retry.requested" }
  /** The person gives it up, or has read why it failed. */
  | { type: "cancel.requested" };

/** Emitted to the page: the server has the file, and begins to install it. */
export interface ModelImportEmitted {
  type: "import.arrived";
  id: string;
}

interface ModelImportContext {
  file: ImportFile | null;
  /** Why it could not be sent: an error code of the contract. */
  error: string | null;
}

/** A model from a file of this device: sent to the server, which then installs it like any other. */
export const modelImportMachine = setup({
  types: {
    context: {} as ModelImportContext,
    events: {} as ModelImportEvent,
    emitted: {} as ModelImportEmitted,
  },
  actors: {
    /** Progress bypasses the machine. */
    sendFile: fromPromise<ModelImport>(async () => notProvided("sendFile")),
    /** The browser asks before the page is left. */
    holdPage: fromCallback<ModelImportEvent>(() => notProvided("holdPage")),
  },
  actions: {
    assignFile: assign({ file: (_, { file }: { file: ImportFile }) => file }),
    assignError: assign({ error: (_, { error }: Failed) => codeOf(error) }),
    clearError: assign({ error: null }),
    clear: assign({ file: null, error: null }),
    emitArrived: emit((_, output: ModelImport): ModelImportEmitted => ({ type: "import.arrived", id: output.id })),
  },
}).createMachine({
  id: "modelImport",
  context: { file: null, error: null },
  initial: "idle",
  states: {
    idle: {
      entry: "clear",
      on: { "file.chosen": { target: "sending", actions: withEvent("assignFile") } },
    },
    sending: {
      entry: "clearError",
      invoke: [
        {
          src: "sendFile",
          onDone: { target: "idle", actions: withOutput("emitArrived") },
          onError: { target: "failed", actions: withEvent("assignError") },
        },
        { src: "holdPage" },
      ],
      on: { "cancel.requested": "idle" },
    },
    failed: {
      on: {
        "retry.requested": "sending",
        "cancel.requested": "idle",
        "file.chosen": { target: "sending", actions: withEvent("assignFile") },
      },
    },
  },
});

type Snapshot = SnapshotFrom<typeof modelImportMachine>;

/** Null while none is chosen. */
export const selectImportFile = ({ context }: Snapshot): ImportFile | null => context.file;
export const selectIsImporting = (snapshot: Snapshot): boolean => snapshot.matches("sending");
/** An error code of the contract; null unless it failed. */
export const selectImportError = ({ context }: Snapshot): string | null => context.error;
