import { type ActorRef, assign, fromCallback, fromPromise, type Snapshot, sendTo, setup } from "xstate";
import type { TranscriptionSummary } from "#contract/index.ts";
import { codeOf, type Failed, isGone } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { exponentialBackOff } from "#machines/transcriptions/event-stream.ts";
import { withEvent } from "#machines/with-event.ts";
import type { UploadEmitted, UploadEvent, UploadFile, UploadOptions, UploadState } from "./events.ts";
import { hasProgressed, isLasting, isSignedOut, mayPass } from "./rules.ts";

interface UploadInput {
  file: UploadFile;
  options: UploadOptions;
  /** The server's size limit. */
  maxBytes: number;
  /** Assigns the slots. */
  list: ActorRef<Snapshot<unknown>, UploadEmitted>;
}

interface UploadContext extends UploadInput {
  /** Consecutive failed attempts since the last one that made progress. */
  attempts: number;
  /** Why it failed: an error code of the contract, or `unreadable`. */
  code: string | null;
  /** The server's version; null until then. */
  transcription: TranscriptionSummary | null;
}

/** The upload of one file: checked, sent (resumed, if need be), processed by the server, done. */
export const uploadMachine = setup({
  types: {
    context: {} as UploadContext,
    events: {} as UploadEvent,
    input: {} as UploadInput,
    tags: {} as UploadState,
  },
  actors: {
    /** Rejects with a `code` when the file can't be read; `missing`: the browser does not have it (any more). */
    checkFile: fromPromise<void, UploadFile>(async () => notProvided("checkFile")),
    /**
     * Sends the part that the server does not have yet. Progress bypasses the machine. Rejects with a `status` and a
     * `code`, and with `progressed` if the server had more at its start than at the previous attempt's.
     */
    transfer: fromPromise<TranscriptionSummary, { file: UploadFile; options: UploadOptions }>(async () =>
      notProvided("transfer"),
    ),
    /** Deletes the server's partial upload, and the resume data in this browser. */
    discard: fromPromise<void, { id: string }>(async () => notProvided("discard")),
    ask: fromPromise<TranscriptionSummary, { id: string }>(async () => notProvided("ask")),
    reprocess: fromPromise<TranscriptionSummary, { id: string }>(async () => notProvided("reprocess")),
    updates: fromCallback<UploadEvent, { id: string }>(() => notProvided("updates")),
    wakeUps: fromCallback<UploadEvent>(() => notProvided("wakeUps")),
    signIn: fromCallback<UploadEvent>(() => notProvided("signIn")),
  },
  actions: {
    requestSlot: sendTo(
      ({ context }) => context.list,
      ({ context }) => ({ type: "slot.requested", id: context.file.id }) as const,
    ),
    releaseSlot: sendTo(
      ({ context }) => context.list,
      ({ context }) => ({ type: "slot.released", id: context.file.id }) as const,
    ),
    startAfresh: assign({ attempts: 0, code: null }),
    countAttempt: assign({
      attempts: ({ context }, { error }: Failed) => (hasProgressed(error) ? 1 : context.attempts + 1),
    }),
    assignCode: assign({ code: (_, { code }: { code: string }) => code }),
    assignTranscription: assign({
      transcription: (_, { transcription }: { transcription: TranscriptionSummary }) => transcription,
      code: null,
    }),
    /** The row says why; SPEC.md section 3: an unknown status means failed. */
    assignReason: assign({ code: ({ context }) => context.transcription?.error?.code ?? "internal" }),
  },
  guards: {
    isEmpty: ({ context }) => context.file.size === 0,
    isTooLarge: ({ context }) => context.file.size > context.maxBytes,
    isMissing: (_, { error }: Failed) => codeOf(error) === "missing",
    isSignedOut: (_, { error }: Failed) => isSignedOut(error),
    mayPass: ({ context }, { error }: Failed) => mayPass(error, context.attempts + 1),
    isGone: (_, { error }: Failed) => isGone(error),
    canBeReprocessed: ({ context }) => context.transcription !== null && !isLasting(context.code),
    canBeSentAgain: ({ context }) => context.transcription === null && !isLasting(context.code),
    isCompleted: ({ context }) => context.transcription?.status === "completed",
    hasFailed: ({ context }) => !["completed", "processing", "pending", undefined].includes(context.transcription?.status),
  },
  delays: {
    backOff: ({ context }) => exponentialBackOff(context.attempts),
    /** Updates can be lost with the connection: without any for this long, the row is fetched. */
    quiet: 15_000,
  },
}).createMachine({
  id: "upload",
  context: ({ input }) => ({ ...input, attempts: 0, code: null, transcription: null }),
  initial: "checking",
  states: {
    checking: {
      tags: "checking",
      entry: "startAfresh",
      on: { "cancel.requested": "cancelled" },
      invoke: {
        src: "checkFile",
        input: ({ context }) => context.file,
        onDone: [
          { guard: "isEmpty", target: "failed", actions: { type: "assignCode", params: { code: "emptyFile" } } },
          { guard: "isTooLarge", target: "failed", actions: { type: "assignCode", params: { code: "tooLarge" } } },
          { target: "sending" },
        ],
        onError: [
          { guard: withEvent("isMissing"), target: "missing" },
          { target: "failed", actions: { type: "assignCode", params: ({ event }) => ({ code: codeOf(event.error) }) } },
        ],
      },
    },
    /** Started before the page was reloaded: the server has a part of it, the browser nothing. */
    missing: { tags: "missing", on: { "file.given": "checking", "cancel.requested": "cancelled" } },
    sending: {
      entry: "requestSlot",
      exit: "releaseSlot",
      on: { "cancel.requested": "cancelled", "pause.requested": "paused" },
      initial: "queued",
      states: {
        queued: { tags: "queued", on: { "slot.given": "uploading" } },
        uploading: {
          tags: "uploading",
          invoke: {
            src: "transfer",
            input: ({ context: { file, options } }) => ({ file, options }),
            onDone: {
              target: "#upload.processing",
              actions: { type: "assignTranscription", params: ({ event }) => ({ transcription: event.output }) },
            },
            onError: [
              { guard: withEvent("isSignedOut"), target: "waitingForSignIn" },
              { guard: withEvent("mayPass"), target: "waitingForServer", actions: withEvent("countAttempt") },
              {
                target: "#upload.failed",
                actions: { type: "assignCode", params: ({ event }) => ({ code: codeOf(event.error) }) },
              },
            ],
          },
        },
        waitingForServer: {
          tags: "waitingForServer",
          invoke: { src: "wakeUps" },
          after: { backOff: "uploading" },
          on: { "page.resumed": "uploading", "retry.requested": "uploading" },
        },
        waitingForSignIn: {
          tags: "waitingForSignIn",
          invoke: { src: "signIn" },
          on: { "session.resumed": "uploading", "retry.requested": "uploading" },
        },
      },
    },
    paused: { tags: "paused", on: { "resume.requested": "sending", "cancel.requested": "cancelled" } },
    processing: {
      tags: "processing",
      invoke: [
        { src: "updates", input: ({ context }) => ({ id: context.transcription?.id ?? "" }) },
        { src: "wakeUps", id: "processing.wakeUps" },
      ],
      always: [
        { guard: "isCompleted", target: "completed" },
        { guard: "hasFailed", target: "failed", actions: "assignReason" },
      ],
      on: {
        "transcription.updated": {
          // An answer still in flight would be older; and the timer restarts.
          target: ".listening",
          actions: withEvent("assignTranscription"),
        },
      },
      initial: "asking",
      states: {
        asking: {
          invoke: {
            src: "ask",
            input: ({ context }) => ({ id: context.transcription?.id ?? "" }),
            onDone: {
              target: "listening",
              actions: { type: "assignTranscription", params: ({ event }) => ({ transcription: event.output }) },
            },
            onError: [
              {
                guard: withEvent("isGone"),
                target: "#upload.failed",
                actions: { type: "assignCode", params: ({ event }) => ({ code: codeOf(event.error) }) },
              },
              { target: "listening" },
            ],
          },
        },
        listening: { after: { quiet: "asking" }, on: { "page.resumed": "asking" } },
      },
    },
    completed: { tags: "completed" },
    failed: {
      tags: "failed",
      on: {
        "retry.requested": [
          { guard: "canBeReprocessed", target: "retrying" },
          { guard: "canBeSentAgain", target: "checking" },
        ],
      },
    },
    retrying: {
      tags: "processing",
      invoke: {
        src: "reprocess",
        input: ({ context }) => ({ id: context.transcription?.id ?? "" }),
        onDone: {
          target: "processing",
          actions: { type: "assignTranscription", params: ({ event }) => ({ transcription: event.output }) },
        },
        onError: { target: "failed", actions: { type: "assignCode", params: ({ event }) => ({ code: codeOf(event.error) }) } },
      },
    },
    cancelled: {
      tags: "cancelled",
      on: { "retry.requested": "checking" },
      initial: "discarding",
      states: {
        discarding: {
          // If the deletion fails, the server deletes it after a week.
          invoke: {
            src: "discard",
            input: ({ context }) => ({ id: context.file.id }),
            onDone: "discarded",
            onError: "discarded",
          },
        },
        discarded: {},
      },
    },
  },
});
