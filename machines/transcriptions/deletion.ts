import { assign, emit, fromPromise, setup } from "xstate";
import type { TranscriptionSummary } from "#contract/index.ts";
import { codeOf, isGone } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";

export type DeletionEvent =
  /** The person undoes it. */
  { type: "undo.requested" };

/** Emitted to the list and the toasts. */
export type DeletionEmitted =
  | { type: "transcription.deleted"; transcription: TranscriptionSummary }
  | { type: "deletion.failed"; transcription: TranscriptionSummary; code: string }
  | { type: "transcription.restored"; transcription: TranscriptionSummary }
  | { type: "restoring.failed"; code: string }
  /** It can't be restored any more. */
  | { type: "transcription.purged"; id: string };

interface DeletionContext {
  transcription: TranscriptionSummary;
  /** The end of the undo period (epoch ms on this device's clock); null until the server has deleted it. */
  purgeAt: number | null;
  /** Epoch ms on this device's clock. */
  now(): number;
}

/** The deletion of one transcription: deleted at once, restored on request, purged after the undo period. */
export const deletionMachine = setup({
  types: {
    context: {} as DeletionContext,
    events: {} as DeletionEvent,
    emitted: {} as DeletionEmitted,
    input: {} as DeletionContext,
  },
  actors: {
    /** Resolves with the length of the undo period (ms). */
    remove: fromPromise<number, { id: string }>(async () => notProvided("remove")),
    restore: fromPromise<TranscriptionSummary, { id: string }>(async () => notProvided("restore")),
  },
  actions: {
    rememberPurge: assign({ purgeAt: ({ context }, { undoMs }: { undoMs: number }) => context.now() + undoMs }),
    emitEvent: emit((_, event: DeletionEmitted) => event),
  },
  guards: {
    isDeletedAlready: ({ context }) => context.purgeAt !== null,
    /** Retrying can't help: the server does not have it any more. */
    isGone: (_, { error }: { error: unknown }) => isGone(error),
  },
  delays: {
    untilPurge: ({ context: { purgeAt, now } }) => Math.max(0, (purgeAt ?? 0) - now()),
  },
}).createMachine({
  id: "deletion",
  context: ({ input }) => input,
  initial: "begun",
  states: {
    begun: { always: [{ guard: "isDeletedAlready", target: "deleted" }, { target: "deleting" }] },
    deleting: {
      invoke: {
        src: "remove",
        input: ({ context }) => ({ id: context.transcription.id }),
        onDone: {
          target: "deleted",
          actions: [
            { type: "rememberPurge", params: ({ event }) => ({ undoMs: event.output }) },
            {
              type: "emitEvent",
              params: ({ context }) => ({ type: "transcription.deleted", transcription: context.transcription }),
            },
          ],
        },
        onError: [
          // Another tab was faster: it is deleted, but only that tab can undo it.
          { guard: { type: "isGone", params: ({ event }) => event }, target: "purged" },
          {
            target: "failed",
            actions: {
              type: "emitEvent",
              params: ({ context, event }) => ({
                type: "deletion.failed",
                transcription: context.transcription,
                code: codeOf(event.error),
              }),
            },
          },
        ],
      },
    },
    deleted: {
      after: { untilPurge: "purged" },
      on: { "undo.requested": "restoring" },
    },
    restoring: {
      invoke: {
        src: "restore",
        input: ({ context }) => ({ id: context.transcription.id }),
        onDone: {
          target: "restored",
          actions: {
            type: "emitEvent",
            params: ({ event }) => ({ type: "transcription.restored", transcription: event.output }),
          },
        },
        onError: [
          {
            guard: { type: "isGone", params: ({ event }) => event },
            target: "purged",
            actions: { type: "emitEvent", params: ({ event }) => ({ type: "restoring.failed", code: codeOf(event.error) }) },
          },
          {
            target: "deleted",
            actions: { type: "emitEvent", params: ({ event }) => ({ type: "restoring.failed", code: codeOf(event.error) }) },
          },
        ],
      },
    },
    failed: { type: "final" },
    restored: { type: "final" },
    purged: {
      type: "final",
      entry: { type: "emitEvent", params: ({ context }) => ({ type: "transcription.purged", id: context.transcription.id }) },
    },
  },
});

type Snapshot = ReturnType<typeof deletionMachine.getInitialSnapshot>;

export const selectCanUndo = (snapshot: Snapshot): boolean => snapshot.can({ type: "undo.requested" });
export const selectIsRestoring = (snapshot: Snapshot): boolean => snapshot.matches("restoring");
/** Epoch ms; null until the server has deleted it. */
export const selectPurgeAt = (snapshot: Snapshot): number | null => snapshot.context.purgeAt;
export const selectId = (snapshot: Snapshot): string => snapshot.context.transcription.id;
export const selectTitle = (snapshot: Snapshot): string => snapshot.context.transcription.title;
