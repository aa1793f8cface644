import { assign, emit, fromPromise, type SnapshotFrom, setup } from "xstate";
import type { ExportContent, ExportFormat, ExportLook } from "#contract/index.ts";
import { codeOf, type Failed } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { present } from "#machines/present.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";
import type { BulkEmitted, BulkEvent } from "./events.ts";
import type { Placing } from "./rules.ts";

/** Rows and the change to them. */
export interface PlacingOrder {
  ids: readonly string[];
  placing: Placing;
}
export interface PlacingOutcome {
  done: readonly string[];
  /** How many rows could not be changed, and why the first could not. */
  failed: number;
  code: string | null;
}
export interface ArchiveOrder {
  ids: readonly string[];
  format: ExportFormat;
  /** Default: both languages, as the format usually looks. */
  content?: ExportContent;
  look?: ExportLook;
}

interface BulkContext {
  /** The running change and the waiting ones, in the order of the person's requests. */
  placings: readonly PlacingOrder[];
  archive: ArchiveOrder | null;
}

const first = ({ placings }: BulkContext): PlacingOrder => present(placings[0] ?? null, "what is to be placed");

/** Actions on many rows of the history: filed one request after another, and saved as an archive at the same time. */
export const bulkMachine = setup({
  types: {
    context: {} as BulkContext,
    events: {} as BulkEvent,
    emitted: {} as BulkEmitted,
    tags: {} as "archiving",
  },
  actors: {
    place: fromPromise<PlacingOutcome, PlacingOrder>(async () => notProvided("place")),
    /** Resolves when the files are saved. */
    archive: fromPromise<void, ArchiveOrder>(async () => notProvided("archive")),
  },
  actions: {
    addPlacing: assign({
      placings: ({ context }, { ids, placing }: PlacingOrder) => [...context.placings, { ids, placing }],
    }),
    dropPlacing: assign({ placings: ({ context }) => context.placings.slice(1) }),
    assignArchive: assign({
      archive: (_, { ids, format, content, look }: ArchiveOrder) => ({
        ids,
        format,
        ...(content && { content }),
        ...(look && { look }),
      }),
    }),
    clearArchive: assign({ archive: null }),
    emitPlaced: emit(({ context }, output: PlacingOutcome): BulkEmitted => {
      return { type: "rows.placed", ids: output.done, placing: first(context).placing };
    }),
    emitPartly: emit((_, output: PlacingOutcome): BulkEmitted => {
      return { type: "placing.failed", count: output.failed, code: output.code ?? "internal" };
    }),
    emitFailed: emit(({ context }, { error }: Failed): BulkEmitted => {
      return { type: "placing.failed", count: first(context).ids.length, code: codeOf(error) };
    }),
    emitNotArchived: emit((_, { error }: Failed): BulkEmitted => ({ type: "archive.failed", code: codeOf(error) })),
  },
  guards: {
    isWaiting: ({ context }) => context.placings.length > 0,
    hasFailed: (_, output: PlacingOutcome) => output.failed > 0,
  },
}).createMachine({
  id: "bulk",
  context: { placings: [], archive: null },
  type: "parallel",
  states: {
    placing: {
      initial: "idle",
      on: { "placing.requested": { actions: withEvent("addPlacing") } },
      states: {
        idle: { always: { guard: "isWaiting", target: "placing" } },
        placing: {
          invoke: {
            src: "place",
            input: ({ context }) => first(context),
            onDone: [
              {
                guard: withOutput("hasFailed"),
                target: "idle",
                actions: [withOutput("emitPartly"), withOutput("emitPlaced"), "dropPlacing"],
              },
              { target: "idle", actions: [withOutput("emitPlaced"), "dropPlacing"] },
            ],
            onError: { target: "idle", actions: [withEvent("emitFailed"), "dropPlacing"] },
          },
        },
      },
    },
    archive: {
      initial: "idle",
      states: {
        idle: {
          on: { "archive.requested": { target: "making", actions: withEvent("assignArchive") } },
        },
        making: {
          tags: "archiving",
          exit: "clearArchive",
          invoke: {
            src: "archive",
            input: ({ context }) => present(context.archive, "what is to be saved"),
            onDone: "idle",
            onError: { target: "idle", actions: withEvent("emitNotArchived") },
          },
        },
      },
    },
  },
});

type Snapshot = SnapshotFrom<typeof bulkMachine>;

export const selectIsArchiving = (snapshot: Snapshot): boolean => snapshot.hasTag("archiving");
