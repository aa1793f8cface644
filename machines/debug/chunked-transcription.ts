import { assign, fromPromise, type SnapshotFrom, setup } from "xstate";
import { codeOf, type Failed } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";

export type LabChunksEvent =
  /** The person has chosen the audio and its settings. */
  | { type: "run.requested"; run: ChunkRun }
  /** The person cancels. */
  | { type: "stop.requested" };

/** The audio to cut into chunks. Its bytes are outside the machine. */
export interface ChunkRun {
  /** "fixture", or the name of the chosen file. */
  source: string;
  /** The length of a chunk, in seconds. */
  seconds: number;
  /** A speech language of the contract. */
  language: string;
}

/** The result of one chunk. */
export interface ChunkReport {
  index: number;
  /** Its offset in the audio, and its length (seconds). */
  start: number;
  seconds: number;
  bytes: number;
  /** Milliseconds until the upload was accepted, and until its text arrived; null on failure. */
  uploaded: number | null;
  finished: number | null;
  text: string;
  /** An error code of the contract, when it failed; a warning, when it has a text. */
  code: string | null;
  /** The last answer, unchanged. */
  raw: string;
}

interface LabChunksContext {
  run: ChunkRun;
  count: number;
  reports: readonly ChunkReport[];
  /** Why the run ended early. */
  code: string | null;
}

/** The engine test with audio in chunks: sent one at a time, each followed until its text arrives. */
export const chunkedTranscriptionMachine = setup({
  types: { context: {} as LabChunksContext, events: {} as LabChunksEvent },
  actors: {
    /** Resolves with the number of chunks. Rejects with a `code` if there is no audio. */
    cut: fromPromise<number, ChunkRun>(async () => notProvided("cut")),
    /** Also resolves if only this chunk failed. Rejects with a `code` if all further chunks would fail, too. */
    sendChunk: fromPromise<ChunkReport, { run: ChunkRun; index: number }>(async () => notProvided("sendChunk")),
  },
  actions: {
    beginRun: assign((_, { run }: { run: ChunkRun }) => ({ run, count: 0, reports: [], code: null })),
    assignCount: assign({ count: (_, count: number) => count }),
    addReport: assign({ reports: ({ context }, report: ChunkReport) => [...context.reports, report] }),
    assignCode: assign({ code: (_, { error }: Failed) => codeOf(error) }),
  },
  guards: {
    isNothing: (_, count: number) => count === 0,
    isLast: ({ context }) => context.reports.length + 1 >= context.count,
  },
}).createMachine({
  id: "chunkedTranscription",
  context: { run: { source: "", seconds: 0, language: "" }, count: 0, reports: [], code: null },
  initial: "idle",
  on: {
    "run.requested": { target: ".cutting", actions: withEvent("beginRun") },
  },
  states: {
    idle: {},
    cutting: {
      invoke: {
        src: "cut",
        input: ({ context }) => context.run,
        onDone: [
          { guard: withOutput("isNothing"), target: "done" },
          { target: "sending", actions: withOutput("assignCount") },
        ],
        onError: { target: "failed", actions: withEvent("assignCode") },
      },
      on: { "stop.requested": "idle" },
    },
    sending: {
      invoke: {
        src: "sendChunk",
        input: ({ context }) => ({ run: context.run, index: context.reports.length }),
        onDone: [
          { guard: "isLast", target: "done", actions: withOutput("addReport") },
          { target: "sending", reenter: true, actions: withOutput("addReport") },
        ],
        onError: { target: "failed", actions: withEvent("assignCode") },
      },
      on: { "stop.requested": "stopped" },
    },
    done: {},
    stopped: {},
    failed: {},
  },
});

type Snapshot = SnapshotFrom<typeof chunkedTranscriptionMachine>;

export const selectIsCutting = (snapshot: Snapshot): boolean => snapshot.matches("cutting");
export const selectIsSending = (snapshot: Snapshot): boolean => snapshot.matches("sending");
export const selectIsDone = (snapshot: Snapshot): boolean => snapshot.matches("done");
export const selectChunkCount = (snapshot: Snapshot): number => snapshot.context.count;
/** The same array until the next chunk. */
export const selectChunkReports = (snapshot: Snapshot): readonly ChunkReport[] => snapshot.context.reports;
export const selectChunksCode = (snapshot: Snapshot): string | null => snapshot.context.code;
