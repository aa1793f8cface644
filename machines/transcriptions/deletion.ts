import { assign, emit, fromPromise, type SnapshotFrom, setup } from "xstate";
import type { TranscriptionSummary } from "#contract/index.ts";
import { codeOf, type Failed, isGone } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";

export type DeletionEvent =
  /** The person undoes the deletion. */
  | { type: "undo.requested" }
  /** The offer to undo was closed, has timed out, or is made elsewhere, as in the trash: the deletion stands. */
  | { type: "offer.closed" };

type Rows = readonly TranscriptionSummary[];

/** Emitted to the list and the toasts. */
export type DeletionEmitted =
  /** `canUndo`: the server has a trash, and undo is offered. Undo is offered again after a failed attempt. */
  | { type: "transcriptions.deleted"; transcriptions: Rows; canUndo: boolean }
  | { type: "deletion.failed"; transcriptions: Rows; code: string }
  | { type: "transcriptions.restored"; transcriptions: Rows }
  | { type: "restoring.failed"; code: string }
  /** Undo is no longer offered here. The trash may still have the transcriptions. */
  | { type: "deletion.over"; ids: readonly string[] };

interface DeletionContext {
  /** The transcriptions that were deleted together and can be restored. */
  transcriptions: Rows;
}

export interface Removed {
  /** Whether the server can restore them. */
  canUndo: boolean;
  /** The ids that could not be deleted, and why the first could not. */
  failed: readonly string[];
  code: string | null;
}
export interface Restored {
  restored: Rows;
  /** The ids that could not be restored now, but can be later. */
  left: readonly string[];
  /** Why some were not restored. */
  code: string | null;
}

const idsOf = (rows: Rows): string[] => rows.map(({ id }) => id);
/** The rows with these ids. */
const among = (rows: Rows, ids: readonly string[]): Rows => {
  const wanted = new Set(ids);
  return rows.filter(({ id }) => wanted.has(id));
};

/**
 * The deletion of transcriptions: all are moved to the trash at once. A toast offers to undo it; the trash keeps them
 * longer.
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
    /** Retrying can't help: the server no longer has it. */
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
          // Another tab deleted it first, and only that tab offers to undo it.
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
