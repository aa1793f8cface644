import { assign, emit, fromPromise, setup } from "xstate";
import type { ExportContent, ExportFormat, ExportLook } from "#contract/index.ts";
import { codeOf } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent } from "#machines/with-event.ts";

/** The file that a person wants, and which texts it has. */
export interface Exporting {
  format: ExportFormat;
  content: ExportContent;
  /** Default: as the format usually looks. */
  look?: ExportLook;
}

export type OutputEvent =
  /** The person requests a file, the text on the clipboard, or the original audio file. */
  ({ type: "export.requested" } & Exporting) | { type: "copy.requested"; text: string } | { type: "audio.requested" };

/** Emitted to the rest of the page. */
export type OutputEmitted = { type: "text.copied" } | { type: "export.failed" | "copy.failed" | "audio.failed"; code: string };

interface OutputContext {
  /** The current or last export. */
  exporting: Exporting;
  /** The text that is being copied, or was copied last. */
  text: string;
}

/** Exports one transcription: as a file made by the server, as text on the clipboard, or its audio; one at a time. */
export const outputMachine = setup({
  types: {
    context: {} as OutputContext,
    events: {} as OutputEvent,
    emitted: {} as OutputEmitted,
  },
  actors: {
    exportFile: fromPromise<void, Exporting>(async () => notProvided("exportFile")),
    copyText: fromPromise<void, { text: string }>(async () => notProvided("copyText")),
    /** Resolves when the browser has started the download. */
    downloadAudio: fromPromise<void>(async () => notProvided("downloadAudio")),
  },
  actions: {
    chooseFile: assign({ exporting: (_, { format, content, look }: Exporting) => ({ format, content, ...(look && { look }) }) }),
    chooseText: assign({ text: (_, { text }: { text: string }) => text }),
    emitEvent: emit((_, event: OutputEmitted) => event),
  },
}).createMachine({
  id: "output",
  context: { exporting: { format: "txt", content: "both" }, text: "" },
  initial: "idle",
  states: {
    idle: {
      on: {
        "export.requested": { target: "exporting", actions: withEvent("chooseFile") },
        "audio.requested": "downloading",
        "copy.requested": { target: "copying", actions: withEvent("chooseText") },
      },
    },
    exporting: {
      invoke: {
        src: "exportFile",
        input: ({ context }) => context.exporting,
        onDone: "idle",
        onError: {
          target: "idle",
          actions: { type: "emitEvent", params: ({ event }) => ({ type: "export.failed", code: codeOf(event.error) }) },
        },
      },
    },
    downloading: {
      invoke: {
        src: "downloadAudio",
        onDone: "idle",
        onError: {
          target: "idle",
          actions: { type: "emitEvent", params: ({ event }) => ({ type: "audio.failed", code: codeOf(event.error) }) },
        },
      },
    },
    copying: {
      invoke: {
        src: "copyText",
        input: ({ context }) => ({ text: context.text }),
        onDone: { target: "idle", actions: { type: "emitEvent", params: { type: "text.copied" } } },
        onError: {
          target: "idle",
          actions: { type: "emitEvent", params: ({ event }) => ({ type: "copy.failed", code: codeOf(event.error) }) },
        },
      },
    },
  },
});

type Snapshot = ReturnType<typeof outputMachine.getInitialSnapshot>;

export const selectIsExporting = (snapshot: Snapshot): boolean =>
  snapshot.matches("exporting") || snapshot.matches("downloading");
