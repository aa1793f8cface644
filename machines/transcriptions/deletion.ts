import { assign, emit, fromPromise, setup } from "xstate";
import type { TranscriptionSummary } from "#contract/index.ts";
import { codeOf, isGone } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";

export type DeletionEvent =
  /** The person wants it back. */
  { type: "undo.requested" };

/** What the list and the toasts hear. */
export type DeletionEmitted =
  | { type: "deleted"; transcription: TranscriptionSummary }
  | { type: "deletion.failed"; transcription: TranscriptionSummary; code: string }
  | { type: "restored"; transcription: TranscriptionSummary }
  | { type: "restoring.failed"; code: string }
  /** It can't be brought back any more. */
  | { type: "purged"; id: string };

interface DeletionContext {
  transcription: TranscriptionSummary;
  /** Until when it can be undone (epoch ms on this device's clock); null until the server has deleted it. */
  purgeAt: number | null;
}

/** One transcription on its way out: deleted at once, brought back on request, gone for good when the time is over. */
export const deletionMachine = setup({
  types: {
    context: {} as DeletionContext,
    events: {} as DeletionEvent,
    emitted: {} as DeletionEmitted,
    input: {} as DeletionContext,
  },
  actors: {
    /** Resolves with the time until which it can be undone (epoch ms on this device's clock). */
    remove: fromPromise<number, { id: string }>(async () => notProvided("remove")),
    restore: fromPromise<TranscriptionSummary, { id: string }>(async () => notProvided("restore")),
  },
  actions: {
    rememberPurge: assign({ purgeAt: (_, { purgeAt }: { purgeAt: number }) => purgeAt }),
    emitEvent: emit((_, event: DeletionEmitted) => event),
  },
  guards: {
    isDeletedAlready: ({ context }) => context.purgeAt !== null,
    /** Asking again can't help: the server has it no more. */
    isGone: (_, { error }: { error: unknown }) => isGone(error),
  },
  delays: {
    untilPurge: (): number => notProvided("untilPurge"),
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
            { type: "rememberPurge", params: ({ event }) => ({ purgeAt: event.output }) },
            { type: "emitEvent", params: ({ context }) => ({ type: "deleted", transcription: context.transcription }) },
          ],
        },
        onError: [
          // Another tab was faster: what was wanted is done, but it is that tab's to undo.
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
          actions: { type: "emitEvent", params: ({ event }) => ({ type: "restored", transcription: event.output }) },
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
      entry: { type: "emitEvent", params: ({ context }) => ({ type: "purged", id: context.transcription.id }) },
    },
  },
});

type Snapshot = ReturnType<typeof deletionMachine.getInitialSnapshot>;

export const selectCanUndo = (snapshot: Snapshot): boolean => snapshot.can({ type: "undo.requested" });
export const selectIsRestoring = (snapshot: Snapshot): boolean => snapshot.matches("restoring");
/** Epoch ms; null until the server has deleted it. */
export const selectPurgeAt = (snapshot: Snapshot): number | null => snapshot.context.purgeAt;
export const selectTitle = (snapshot: Snapshot): string => snapshot.context.transcription.title;
