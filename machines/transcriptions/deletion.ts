import { assign, emit, fromPromise, type SnapshotFrom, setup } from "xstate";
import type { TranscriptionSummary } from "#contract/index.ts";
import { codeOf, type Failed, isGone } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";

export type DeletionEvent =
  /** The person undoes it. */
  | { type: "undo.requested" }
  /** The offer to undo it is closed, has timed out, or is made elsewhere, as in the trash: the deletion stands. */
  | { type: "offer.closed" };

type Rows = readonly TranscriptionSummary[];

/** Emitted to the list and the toasts. */
export type DeletionEmitted =
  /** Whether the server keeps them in a trash: then it is offered to undo it, again after an attempt that failed. */
  | { type: "transcriptions.deleted"; transcriptions: Rows; canUndo: boolean }
  | { type: "deletion.failed"; transcriptions: Rows; code: string }
  | { type: "transcriptions.restored"; transcriptions: Rows }
  | { type: "restoring.failed"; code: string }
  /** It is not offered any more to undo it here. What can still be brought back is in the trash. */
  | { type: "deletion.over"; ids: readonly string[] };

interface DeletionContext {
  /** Those that were deleted together and can be brought back. */
  transcriptions: Rows;
}

export interface Removed {
  /** Whether the server can bring them back. */
  canUndo: boolean;
  /** Those that could not be deleted, and why the first could not. */
  failed: readonly string[];
  code: string | null;
}
export interface Restored {
  restored: Rows;
  /** Those that could not be brought back now, but later. */
  left: readonly string[];
  /** Why not all of them came back. */
  code: string | null;
}

const idsOf = (rows: Rows): string[] => rows.map(({ id }) => id);
/** The rows of these ids. */
const among = (rows: Rows, ids: readonly string[]): Rows => {
  const wanted = new Set(ids);
  return rows.filter(({ id }) => wanted.has(id));
};

/**
 * The deletion of transcriptions: moved to the trash at once, all together; undoing is offered in a toast, the trash
 * has them for longer.
 */
export const deletionMachine = setup({
  types: {
    context: {} as DeletionContext,
    events: {} as DeletionEvent,
    emitted: {} as DeletionEmitted,
    input: {} as DeletionContext,
  },
  actors: {
    remove: fromPromise<Removed, { ids: readonly string[] }>(async () => notProvided("remove")),
    restore: fromPromise<Restored, { transcriptions: Rows }>(async () => notProvided("restore")),
  },
  actions: {
    assignRemoved: assign({
      transcriptions: ({ context }, { failed }: Removed) => context.transcriptions.filter(({ id }) => !failed.includes(id)),
    }),
    assignLeft: assign({ transcriptions: ({ context }, { left }: Restored) => among(context.transcriptions, left) }),
    emitEvent: emit((_, event: DeletionEmitted) => event),
    emitFailed: emit(({ context }, { failed, code }: Removed): DeletionEmitted => {
      return { type: "deletion.failed", transcriptions: among(context.transcriptions, failed), code: code ?? "internal" };
    }),
    emitDeleted: emit(({ context }, { canUndo }: { canUndo: boolean }): DeletionEmitted => {
      return { type: "transcriptions.deleted", transcriptions: context.transcriptions, canUndo };
    }),
    emitRestored: emit((_, { restored }: Restored): DeletionEmitted => {
      return { type: "transcriptions.restored", transcriptions: restored };
    }),
    emitOver: emit(({ context }): DeletionEmitted => ({ type: "deletion.over", ids: idsOf(context.transcriptions) })),
  },
  guards: {
    hasDeletedNone: ({ context }, { failed }: Removed) => failed.length === context.transcriptions.length,
    hasFailedPartly: (_, { failed }: Removed) => failed.length > 0,
    isFinal: (_, { canUndo }: Removed) => !canUndo,
    hasRestoredAll: (_, { code }: Restored) => code === null,
    hasNoItems: (_, { left }: Restored) => left.length === 0,
    /** Retrying can't help: the server does not have it any more. */
    isGone: (_, { error }: Failed) => isGone(error),
  },
}).createMachine({
  id: "deletion",
  context: ({ input }) => input,
  initial: "deleting",
  states: {
    deleting: {
      invoke: {
        src: "remove",
        input: ({ context }) => ({ ids: idsOf(context.transcriptions) }),
        onDone: [
          { guard: withOutput("hasDeletedNone"), target: "failed", actions: withOutput("emitFailed") },
          {
            guard: withOutput("hasFailedPartly"),
            target: "deleted",
            actions: [withOutput("emitFailed"), withOutput("assignRemoved")],
          },
          { guard: withOutput("isFinal"), target: "over", actions: { type: "emitDeleted", params: { canUndo: false } } },
          { target: "deleted" },
        ],
        onError: [
          // Another tab was faster: it is deleted, but only that tab offers to undo it.
          { guard: withEvent("isGone"), target: "over" },
          {
            target: "failed",
            actions: {
              type: "emitEvent",
              params: ({ context, event }) => ({
                type: "deletion.failed",
                transcriptions: context.transcriptions,
                code: codeOf(event.error),
              }),
            },
          },
        ],
      },
    },
    deleted: {
      entry: { type: "emitDeleted", params: { canUndo: true } },
      on: { "undo.requested": "restoring", "offer.closed": "over" },
    },
    restoring: {
      invoke: {
        src: "restore",
        input: ({ context }) => ({ transcriptions: context.transcriptions }),
        onDone: [
          { guard: withOutput("hasRestoredAll"), target: "restored", actions: withOutput("emitRestored") },
          {
            guard: withOutput("hasNoItems"),
            target: "over",
            actions: [
              withOutput("emitRestored"),
              { type: "emitEvent", params: ({ event }) => ({ type: "restoring.failed", code: event.output.code ?? "gone" }) },
              withOutput("assignLeft"),
            ],
          },
          {
            target: "deleted",
            actions: [
              withOutput("emitRestored"),
              { type: "emitEvent", params: ({ event }) => ({ type: "restoring.failed", code: event.output.code ?? "internal" }) },
              withOutput("assignLeft"),
            ],
          },
        ],
        onError: [
          {
            guard: withEvent("isGone"),
            target: "over",
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
    over: { type: "final", entry: "emitOver" },
  },
});

export const selectDeleted = (snapshot: SnapshotFrom<typeof deletionMachine>): Rows => snapshot.context.transcriptions;
