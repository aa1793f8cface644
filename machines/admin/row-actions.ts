import { assign, emit, fromPromise, type SnapshotFrom, setup } from "xstate";
import { codeOf, type Failed } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent } from "#machines/with-event.ts";

/** One action on one row of a list. */
export interface RowAction {
  action: string;
  id: string;
}

export type RowActionsEvent =
  /** The person requests an action. */
  | { type: "rowAction.requested"; rowAction: RowAction }
  /** The confirmation dialog: confirmed, or cancelled. */
  | { type: "rowAction.confirmed" }
  | { type: "rowAction.dismissed" };

/** Emitted to the page. */
export type RowActionsEmitted =
  | { type: "rowAction.done"; rowAction: RowAction }
  /** The list may have changed by itself. */
  | { type: "poll.due" };

interface RowActionsContext {
  /** The first is running or being confirmed; those after it are queued. */
  rowActions: readonly RowAction[];
  /** Why the last one failed: an error code of the contract. */
  failure: string | null;
  /** Actions that need a confirmation. */
  asksFirst: readonly string[];
  /** Whether the list changes by itself. */
  polls: boolean;
}

const noAction: RowAction = { action: "", id: "" };

/** The actions on the rows of an admin list, run one at a time; a list that changes by itself is polled. */
export const rowActionsMachine = setup({
  types: {
    context: {} as RowActionsContext,
    events: {} as RowActionsEvent,
    emitted: {} as RowActionsEmitted,
    input: {} as Pick<RowActionsContext, "asksFirst" | "polls">,
  },
  actors: {
    /** Runs one action. */
    perform: fromPromise<void, { rowAction: RowAction | undefined }>(async () => notProvided("perform")),
  },
  actions: {
    queue: assign({ rowActions: ({ context }, { rowAction }: { rowAction: RowAction }) => [...context.rowActions, rowAction] }),
    putAway: assign({ rowActions: ({ context }) => context.rowActions.slice(1) }),
    emitDone: emit(
      ({ context: { rowActions } }): RowActionsEmitted => ({ type: "rowAction.done", rowAction: rowActions[0] ?? noAction }),
    ),
    emitPollDue: emit({ type: "poll.due" } as const),
    fail: assign({ failure: (_, { error }: Failed) => codeOf(error) }),
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
      on: { "rowAction.requested": { actions: withEvent("queue") } },
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
            onError: { target: "idle", actions: [withEvent("fail"), "putAway"] },
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

/** The running action, the one being confirmed, and the queue. */
export const selectRowActions = (snapshot: Snapshot): readonly RowAction[] => snapshot.context.rowActions;
/** The action to be confirmed; null for none. */
export const selectAskedRowAction = (snapshot: Snapshot): RowAction | null =>
  snapshot.matches({ work: "asking" }) ? (snapshot.context.rowActions[0] ?? null) : null;
/** An error code of the contract. */
export const selectRowActionFailure = (snapshot: Snapshot): string | null => snapshot.context.failure;
