import { assign, fromCallback, fromPromise, setup } from "xstate";
import type { Segment, Transcription, TranscriptionSummary } from "#contract/index.ts";
import { codeOf, type Failed, isGone } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { exponentialBackOff } from "#machines/transcriptions/event-stream.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";

export type ProcessingEvent =
  /** The person. */
  | { type: "retry.requested" }
  | { type: "reload.requested" }
  /** The actor `updates`: the row as it is now, and its segments if they changed. */
  | { type: "transcription.updated"; transcription: TranscriptionSummary; segments?: readonly Segment[] | undefined }
  /** The actor `wakeUps`: the network is back, or the device woke. */
  | { type: "page.resumed" };

interface ProcessingContext {
  id: string;
  /** null until it is loaded. */
  transcription: Transcription | null;
  /** Why loading, or retrying, failed: an error code of the contract. */
  code: string | null;
  /** Consecutive failed attempts to load it. */
  attempts: number;
}

/** One transcription while the server processes it: loaded, followed to its end, retried after a failure. */
export const processingMachine = setup({
  types: { context: {} as ProcessingContext, events: {} as ProcessingEvent, input: {} as { id: string } },
  actors: {
    load: fromPromise<Transcription, { id: string }>(async () => notProvided("load")),
    reprocess: fromPromise<Transcription, { id: string }>(async () => notProvided("reprocess")),
    updates: fromCallback<ProcessingEvent, { id: string }>(() => notProvided("updates")),
    wakeUps: fromCallback<ProcessingEvent>(() => notProvided("wakeUps")),
  },
  actions: {
    assignTranscription: assign({
      transcription: (_, transcription: Transcription) => transcription,
      code: null,
      attempts: 0,
    }),
    mergeUpdate: assign(({ context, event }) => {
      if (event.type !== "transcription.updated" || context.transcription === null) return {};
      const segments = event.segments ?? context.transcription.segments;
      return { transcription: { ...context.transcription, ...event.transcription, segments: [...segments] } };
    }),
    assignCode: assign({ code: (_, { error }: Failed) => codeOf(error) }),
    countAttempt: assign({ attempts: ({ context }) => context.attempts + 1 }),
  },
  guards: {
    isGone: (_, { error }: Failed) => isGone(error),
    isCompleted: ({ context }) => context.transcription?.status === "completed",
    /** SPEC.md section 3: an unknown status means failed. */
    hasFailed: ({ context }) => !["completed", "processing", "pending", undefined].includes(context.transcription?.status),
  },
  delays: { backOff: ({ context }) => exponentialBackOff(context.attempts) },
}).createMachine({
  id: "processing",
  context: ({ input }) => ({ id: input.id, transcription: null, code: null, attempts: 0 }),
  initial: "loading",
  states: {
    loading: {
      invoke: {
        src: "load",
        input: ({ context }) => ({ id: context.id }),
        onDone: { target: "working", actions: withOutput("assignTranscription") },
        onError: [
          { guard: withEvent("isGone"), target: "missing" },
          { target: "unreachable", actions: ["countAttempt", withEvent("assignCode")] },
        ],
      },
    },
    unreachable: {
      invoke: { src: "wakeUps" },
      after: { backOff: "loading" },
      on: { "page.resumed": "loading", "reload.requested": "loading" },
    },
    missing: { on: { "reload.requested": "loading" } },
    working: {
      // Changes while the device slept are fetched: the stream does not report deletions.
      invoke: [
        { src: "updates", input: ({ context }) => ({ id: context.id }) },
        { src: "wakeUps", id: "working.wakeUps" },
      ],
      always: [
        { guard: "isCompleted", target: "completed" },
        { guard: "hasFailed", target: "failed" },
      ],
      on: { "transcription.updated": { actions: "mergeUpdate" }, "page.resumed": "loading" },
    },
    completed: {},
    failed: { on: { "retry.requested": "retrying" } },
    retrying: {
      invoke: {
        src: "reprocess",
        input: ({ context }) => ({ id: context.id }),
        onDone: { target: "working", actions: withOutput("assignTranscription") },
        onError: { target: "failed", actions: withEvent("assignCode") },
      },
    },
  },
});

type Snapshot = ReturnType<typeof processingMachine.getInitialSnapshot>;

/** null until it is loaded. */
export const selectProcessed = (snapshot: Snapshot): Transcription | null => snapshot.context.transcription;
export const selectIsMissing = (snapshot: Snapshot): boolean => snapshot.matches("missing");
/** Why it is currently unavailable; null when it is not. */
export const selectUnreachable = (snapshot: Snapshot): string | null =>
  snapshot.context.attempts > 0 ? snapshot.context.code : null;
export const selectIsCompleted = (snapshot: Snapshot): boolean => snapshot.matches("completed");
export const selectIsRetrying = (snapshot: Snapshot): boolean => snapshot.matches("retrying");
/** Why it failed, or could not be retried; null unless it did. */
export const selectProcessingFailure = (snapshot: Snapshot): string | null =>
  snapshot.matches("failed") || snapshot.matches("retrying")
    ? (snapshot.context.code ?? snapshot.context.transcription?.error?.code ?? "internal")
    : null;
