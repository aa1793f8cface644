import { assign, emit, fromPromise, type SnapshotFrom, sendTo, setup } from "xstate";
import type { TrashItem } from "#contract/index.ts";
import { codeOf, type Failed } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";
import { selectionMachine } from "./selection.ts";

/** An action on items in the trash. */
export type TrashWish =
  | { type: "restore"; ids: readonly string[] }
  | { type: "erase"; ids: readonly string[] }
  /** `until`: as the server's clock was when the trash was read (ISO 8601): what came later stays. */
  | { type: "empty"; until: string };

export type TrashEvent =
  /** The page is opened, or the person tries again. */
  | { type: "list.requested" }
  | { type: "more.requested" }
  | { type: "restoring.requested"; ids: readonly string[] }
  | { type: "erasure.requested"; ids: readonly string[] }
  | { type: "emptying.requested" }
  /** The person confirms an erasure. */
  | { type: "erasure.confirmed" }
  | { type: "erasure.cancelled" };

/** Emitted to the toasts and the history. */
export type TrashEmitted =
  | { type: "trash.changed"; wish: TrashWish["type"]; count: number }
  /** `count`: how many are as they were. */
  | { type: "change.failed"; wish: TrashWish["type"]; count: number; code: string };

export interface TrashPage {
  data: readonly TrashItem[];
  total: number;
  /** The cursor of the next page; null at the end. */
  next: string | null;
  until: string;
}
export interface TrashOutcome {
  /** The items that were removed from the trash; null: none. */
  done: readonly string[] | null;
  count: number;
  /** The items that could not be changed, and the reason for the first of them. */
  failed: number;
  code: string | null;
}

interface TrashContext {
  items: readonly TrashItem[];
  total: number;
  next: string | null;
  until: string;
  wish: TrashWish | null;
  /** Why it can't be shown: an error code of the contract. */
  error: string | null;
}

const without = (items: readonly TrashItem[], ids: readonly string[]) => {
  const gone = new Set(ids);
  return items.filter(({ id }) => !gone.has(id));
};

/** The trash: its content page by page, restored or erased, one, some or all. */
export const trashMachine = setup({
  types: {
    context: {} as TrashContext,
    events: {} as TrashEvent,
    emitted: {} as TrashEmitted,
    tags: {} as "busy" | "listed",
    children: {} as { selection: "selection" },
  },
  actors: {
    selection: selectionMachine,
    /** @param after a page's `next`; null for the first */
    fetchPage: fromPromise<TrashPage, { after: string | null }>(async () => notProvided("fetchPage")),
    change: fromPromise<TrashOutcome, TrashWish>(async () => notProvided("change")),
  },
  actions: {
    assignFirstPage: assign((_, { data, total, next, until }: TrashPage) => ({ items: data, total, next, until, error: null })),
    addPage: assign(({ context }, { data, total, next }: TrashPage) => {
      const ids = data.map(({ id }) => id);
      return { items: [...without(context.items, ids), ...data], total, next };
    }),
    assignError: assign({ error: (_, { error }: Failed) => codeOf(error) }),
    assignWish: assign({ wish: (_, wish: TrashWish) => wish }),
    wishEmpty: assign({ wish: ({ context }) => ({ type: "empty", until: context.until }) }),
    clearWish: assign({ wish: null }),
    removeItems: assign(({ context: { items, total } }, { done }: TrashOutcome) => {
      const left = done === null ? [] : without(items, done);
      return { items: left, total: Math.max(left.length, total - (items.length - left.length)) };
    }),
    limitSelection: sendTo("selection", ({ context }) => ({
      type: "rows.changed" as const,
      ids: context.items.map(({ id }) => id),
    })),
    emitChanged: emit(({ context }, { count }: TrashOutcome): TrashEmitted => {
      return { type: "trash.changed", wish: context.wish?.type ?? "restore", count };
    }),
    emitPartly: emit(({ context }, { failed, code }: TrashOutcome): TrashEmitted => {
      return { type: "change.failed", wish: context.wish?.type ?? "restore", count: failed, code: code ?? "internal" };
    }),
    emitFailed: emit(({ context }, { error }: Failed): TrashEmitted => {
      const { wish, total } = context;
      const count = wish === null || wish.type === "empty" ? total : wish.ids.length;
      return { type: "change.failed", wish: wish?.type ?? "restore", count, code: codeOf(error) };
    }),
  },
  guards: {
    hasMore: ({ context }) => context.next !== null,
    /** All shown items were removed, but there are more. */
    isUsedUp: ({ context }) => context.items.length === 0 && context.total > 0,
    hasFailed: (_, { failed }: TrashOutcome) => failed > 0,
  },
}).createMachine({
  id: "trash",
  context: { items: [], total: 0, next: null, until: "", wish: null, error: null },
  invoke: { src: "selection", id: "selection" },
  initial: "waiting",
  states: {
    waiting: { tags: "busy", on: { "list.requested": "loading" } },
    loading: {
      tags: "busy",
      invoke: {
        src: "fetchPage",
        input: { after: null },
        onDone: { target: "listed", actions: withOutput("assignFirstPage") },
        onError: { target: "failed", actions: withEvent("assignError") },
      },
    },
    listed: {
      tags: "listed",
      entry: "limitSelection",
      on: {
        "list.requested": "loading",
        "more.requested": { guard: "hasMore", target: "loadingMore" },
        "restoring.requested": {
          target: "changing",
          actions: { type: "assignWish", params: ({ event }) => ({ type: "restore", ids: event.ids }) },
        },
        "erasure.requested": {
          target: "confirming",
          actions: { type: "assignWish", params: ({ event }) => ({ type: "erase", ids: event.ids }) },
        },
        "emptying.requested": { target: "confirming", actions: "wishEmpty" },
      },
    },
    loadingMore: {
      tags: "listed",
      invoke: {
        src: "fetchPage",
        input: ({ context }) => ({ after: context.next }),
        onDone: { target: "listed", actions: withOutput("addPage") },
        onError: { target: "failed", actions: withEvent("assignError") },
      },
    },
    confirming: {
      tags: "listed",
      on: { "erasure.confirmed": "changing", "erasure.cancelled": { target: "listed", actions: "clearWish" } },
    },
    changing: {
      tags: "listed",
      invoke: {
        src: "change",
        input: ({ context }) => context.wish ?? { type: "restore", ids: [] },
        onDone: [
          { guard: withOutput("hasFailed"), target: "changed", actions: [withOutput("removeItems"), withOutput("emitPartly")] },
          { target: "changed", actions: [withOutput("removeItems"), withOutput("emitChanged")] },
        ],
        onError: { target: "changed", actions: withEvent("emitFailed") },
      },
    },
    /** Shows the rest of the page, or else the next one. */
    changed: {
      entry: "clearWish",
      always: [{ guard: "isUsedUp", target: "loading" }, { target: "listed" }],
    },
    failed: { on: { "list.requested": "loading" } },
  },
});

type Snapshot = SnapshotFrom<typeof trashMachine>;

export const selectItems = (snapshot: Snapshot): readonly TrashItem[] => snapshot.context.items;
/** On the server. */
export const selectTotal = (snapshot: Snapshot): number => snapshot.context.total;
export const selectIsLoading = (snapshot: Snapshot): boolean => snapshot.hasTag("busy");
export const selectIsLoadingMore = (snapshot: Snapshot): boolean => snapshot.matches("loadingMore");
export const selectIsListed = (snapshot: Snapshot): boolean => snapshot.hasTag("listed");
export const selectHasMore = (snapshot: Snapshot): boolean => snapshot.context.next !== null;
export const selectIsChanging = (snapshot: Snapshot): boolean => snapshot.matches("changing");
/** The action that must be confirmed; null if there is none. */
export const selectConfirming = (snapshot: Snapshot): TrashWish | null =>
  snapshot.matches("confirming") ? snapshot.context.wish : null;
export const selectError = (snapshot: Snapshot): string | null => (snapshot.matches("failed") ? snapshot.context.error : null);
