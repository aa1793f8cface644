import { assign, emit, fromPromise, type SnapshotFrom, setup } from "xstate";
import { codeOf } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";

/** Something to be done to one row of a list. */
export interface RowAction {
  action: string;
  id: string;
}

export type RowActionsEvent =
  /** The person wants something done. */
  | { type: "rowAction.requested"; rowAction: RowAction }
  /** The dialog that asks once more: so it is, or not. */
  | { type: "rowAction.confirmed" }
  | { type: "rowAction.dismissed" };

/** What the page hears. */
export type RowActionsEmitted =
  | { type: "rowAction.done"; rowAction: RowAction }
  /** The list may have changed by itself. */
  | { type: "poll.due" };

interface RowActionsContext {
  /** The first is being done, or asked about; those after it wait. */
  rowActions: readonly RowAction[];
  /** Why the last one could not be done: a code of the contract. */
  failure: string | null;
  /** Actions that are done only when the person has said so twice. */
  asksFirst: readonly string[];
  /** Whether the list changes by itself. */
  polls: boolean;
}

const noAction: RowAction = { action: "", id: "" };

/** The actions on the rows of an admin list, done one after the other; a list that changes by itself is polled. */
export const rowActionsMachine = setup({
  types: {
    context: {} as RowActionsContext,
    events: {} as RowActionsEvent,
    emitted: {} as RowActionsEmitted,
    input: {} as Pick<RowActionsContext, "asksFirst" | "polls">,
  },
  actors: {
    /** Does one thing. */
    perform: fromPromise<void, { rowAction: RowAction | undefined }>(async () => notProvided("perform")),
  },
  actions: {
    take: assign({ rowActions: ({ context }, { rowAction }: { rowAction: RowAction }) => [...context.rowActions, rowAction] }),
    putAway: assign({ rowActions: ({ context }) => context.rowActions.slice(1) }),
    emitDone: emit(
      ({ context: { rowActions } }): RowActionsEmitted => ({ type: "rowAction.done", rowAction: rowActions[0] ?? noAction }),
    ),
    emitPollDue: emit({ type: "poll.due" } as const),
    fail: assign({ failure: (_, { error }: { error: unknown }) => codeOf(error) }),
    clearFailure: assign({ failure: null }),
  },
  guards: {
    isThere: ({ context }) => context.rowActions.length > 0,
    asksFirst: ({ context: { rowActions, asksFirst } }) =>
      rowActions[0] !== undefined && asksFirst.includes(rowActions[0].action),
    polls: ({ context }) => context.polls,
  },
  delays: {
    pollInterval: (): number => notProvided("pollInterval"),
  },
}).createMachine({
  id: "rowActions",
  context: ({ input }) => ({ rowActions: [], failure: null, ...input }),
  type: "parallel",
  states: {
    work: {
      initial: "idle",
      on: { "rowAction.requested": { actions: { type: "take", params: ({ event }) => event } } },
      states: {
        idle: {
          always: [
            { guard: "asksFirst", target: "asking" },
            { guard: "isThere", target: "doing" },
          ],
        },
        asking: { on: { "rowAction.confirmed": "doing", "rowAction.dismissed": { target: "idle", actions: "putAway" } } },
        doing: {
          entry: "clearFailure",
          invoke: {
            src: "perform",
            input: ({ context }) => ({ rowAction: context.rowActions[0] }),
            onDone: { target: "idle", actions: ["emitDone", "putAway"] },
            onError: { target: "idle", actions: [{ type: "fail", params: ({ event }) => event }, "putAway"] },
          },
        },
      },
    },
    watch: {
      initial: "deciding",
      states: {
        deciding: { always: [{ guard: "polls", target: "waiting" }, { target: "off" }] },
        off: {},
        waiting: { after: { pollInterval: { target: "waiting", reenter: true, actions: "emitPollDue" } } },
      },
    },
  },
});

type Snapshot = SnapshotFrom<typeof rowActionsMachine>;

/** What is being done or asked about, or waits for it. */
export const selectRowActions = (snapshot: Snapshot): readonly RowAction[] => snapshot.context.rowActions;
/** What the person is asked about; null when noAction is. */
export const selectAskedRowAction = (snapshot: Snapshot): RowAction | null =>
  snapshot.matches({ work: "asking" }) ? (snapshot.context.rowActions[0] ?? null) : null;
/** A code of the contract. */
export const selectRowActionFailure = (snapshot: Snapshot): string | null => snapshot.context.failure;
