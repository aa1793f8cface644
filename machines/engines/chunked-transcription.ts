import { assign, fromPromise, type SnapshotFrom, setup } from "xstate";
import { codeOf } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";

export type LabChunksEvent =
  /** The person has chosen what to cut and how. */
  | { type: "run.requested"; run: ChunkRun }
  /** The person has seen enough. */
  | { type: "stop.requested" };

/** What is cut into chunks. The sound itself is with whoever cuts it. */
export interface ChunkRun {
  /** "fixture", or the name of a file that is there. */
  source: string;
  /** Of a chunk, in seconds. */
  seconds: number;
  /** A speech language of the contract. */
  language: string;
}

/** What came of one chunk. */
export interface ChunkReport {
  index: number;
  /** Where it begins in the sound, and how long it is (seconds). */
  start: number;
  seconds: number;
  bytes: number;
  /** Milliseconds until the upload was taken, and until its text was there; null when it came to nothing. */
  uploaded: number | null;
  finished: number | null;
  text: string;
  /** A code of the contract, when it failed; a warning, when it came with its text. */
  code: string | null;
  /** The last answer, as it came. */
  raw: string;
}

interface LabChunksContext {
  run: ChunkRun;
  count: number;
  reports: readonly ChunkReport[];
  /** Why it could not go on. */
  code: string | null;
}

/** The test of an engine with a sound that is cut into chunks: one after the other is sent, and its text waited for. */
export const labChunksMachine = setup({
  types: { context: {} as LabChunksContext, events: {} as LabChunksEvent },
  actors: {
    /** How many chunks there are. Rejects with a `code` when there is no sound to cut. */
    cut: fromPromise<number, ChunkRun>(async () => notProvided("cut")),
    /** Resolves however it ends for the chunk alone; rejects with a `code` when no other would do better. */
    sendChunk: fromPromise<ChunkReport, { run: ChunkRun; index: number }>(async () => notProvided("sendChunk")),
  },
  actions: {
    beginRun: assign((_, { run }: { run: ChunkRun }) => ({ run, count: 0, reports: [], code: null })),
    keepCount: assign({ count: (_, { count }: { count: number }) => count }),
    keepReport: assign({ reports: ({ context }, { report }: { report: ChunkReport }) => [...context.reports, report] }),
    keepCode: assign({ code: (_, { error }: { error: unknown }) => codeOf(error) }),
  },
  guards: {
    isNothing: (_, { count }: { count: number }) => count === 0,
    isLast: ({ context }) => context.reports.length + 1 >= context.count,
  },
}).createMachine({
  id: "labChunks",
  context: { run: { source: "", seconds: 0, language: "" }, count: 0, reports: [], code: null },
  initial: "idle",
  on: {
    "run.requested": { target: ".cutting", actions: { type: "beginRun", params: ({ event }) => event } },
  },
  states: {
    idle: {},
    cutting: {
      invoke: {
        src: "cut",
        input: ({ context }) => context.run,
        onDone: [
          { guard: { type: "isNothing", params: ({ event }) => ({ count: event.output }) }, target: "done" },
          { target: "sending", actions: { type: "keepCount", params: ({ event }) => ({ count: event.output }) } },
        ],
        onError: { target: "failed", actions: { type: "keepCode", params: ({ event }) => event } },
      },
      on: { "stop.requested": "idle" },
    },
    sending: {
      invoke: {
        src: "sendChunk",
        input: ({ context }) => ({ run: context.run, index: context.reports.length }),
        onDone: [
          { guard: "isLast", target: "done", actions: { type: "keepReport", params: ({ event }) => ({ report: event.output }) } },
          {
            target: "sending",
            reenter: true,
            actions: { type: "keepReport", params: ({ event }) => ({ report: event.output }) },
          },
        ],
        onError: { target: "failed", actions: { type: "keepCode", params: ({ event }) => event } },
      },
      on: { "stop.requested": "stopped" },
    },
    done: {},
    stopped: {},
    failed: {},
  },
});

type Snapshot = SnapshotFrom<typeof labChunksMachine>;

export const selectIsCutting = (snapshot: Snapshot): boolean => snapshot.matches("cutting");
export const selectIsSending = (snapshot: Snapshot): boolean => snapshot.matches("sending");
export const selectIsDone = (snapshot: Snapshot): boolean => snapshot.matches("done");
export const selectChunkCount = (snapshot: Snapshot): number => snapshot.context.count;
/** The same list until the next chunk. */
export const selectChunkReports = (snapshot: Snapshot): readonly ChunkReport[] => snapshot.context.reports;
export const selectChunksCode = (snapshot: Snapshot): string | null => snapshot.context.code;
