import { assign, emit, fromPromise, type SnapshotFrom, setup } from "xstate";
import { codeOf } from "#machines/failure.ts";

/** Something to be done to one row of a list. */
export interface Deed {
  action: string;
  id: string;
}

export type DeskEvent =
  /** The person wants something done. */
  | { type: "deed.requested"; deed: Deed }
  /** The dialog that asks once more: so it is, or not. */
  | { type: "deed.confirmed" }
  | { type: "deed.dismissed" };

/** What the page hears. */
export type DeskNews =
  | { type: "done"; deed: Deed }
  /** The list may have changed by itself. */
  | { type: "look.due" };

interface DeskContext {
  /** The first is being done, or asked about; those after it wait. */
  deeds: readonly Deed[];
  /** Why the last one could not be done: a code of the contract. */
  failure: string | null;
  /** Actions that are done only when the person has said so twice. */
  asksFirst: readonly string[];
  /** Whether the list changes by itself. */
  looks: boolean;
}

const nothing: Deed = { action: "", id: "" };

/** Where the rows of a list of the admin panel are worked off, one after the other; a list that changes by itself is looked at again. */
export const deskMachine = setup({
  types: {
    context: {} as DeskContext,
    events: {} as DeskEvent,
    emitted: {} as DeskNews,
    input: {} as Pick<DeskContext, "asksFirst" | "looks">,
  },
  actors: {
    /** Does one thing. */
    perform: fromPromise<void, { deed: Deed | undefined }>(() => Promise.reject(new Error("perform was not provided"))),
  },
  actions: {
    take: assign({ deeds: ({ context }, { deed }: { deed: Deed }) => [...context.deeds, deed] }),
    putAway: assign({ deeds: ({ context }) => context.deeds.slice(1) }),
    tellDone: emit(({ context: { deeds } }): DeskNews => ({ type: "done", deed: deeds[0] ?? nothing })),
    tellLook: emit({ type: "look.due" } as const),
    fail: assign({ failure: (_, { error }: { error: unknown }) => codeOf(error) }),
    forgetFailure: assign({ failure: null }),
  },
  guards: {
    isThere: ({ context }) => context.deeds.length > 0,
    asksFirst: ({ context: { deeds, asksFirst } }) => deeds[0] !== undefined && asksFirst.includes(deeds[0].action),
    looks: ({ context }) => context.looks,
  },
  delays: {
    untilNextLook: (): number => {
      throw new Error("untilNextLook was not provided");
    },
  },
}).createMachine({
  id: "desk",
  context: ({ input }) => ({ deeds: [], failure: null, ...input }),
  type: "parallel",
  states: {
    work: {
      initial: "idle",
      on: { "deed.requested": { actions: { type: "take", params: ({ event }) => event } } },
      states: {
        idle: {
          always: [
            { guard: "asksFirst", target: "asking" },
            { guard: "isThere", target: "doing" },
          ],
        },
        asking: { on: { "deed.confirmed": "doing", "deed.dismissed": { target: "idle", actions: "putAway" } } },
        doing: {
          entry: "forgetFailure",
          invoke: {
            src: "perform",
            input: ({ context }) => ({ deed: context.deeds[0] }),
            onDone: { target: "idle", actions: ["tellDone", "putAway"] },
            onError: { target: "idle", actions: [{ type: "fail", params: ({ event }) => event }, "putAway"] },
          },
        },
      },
    },
    watch: {
      initial: "deciding",
      states: {
        deciding: { always: [{ guard: "looks", target: "waiting" }, { target: "off" }] },
        off: {},
        waiting: { after: { untilNextLook: { target: "waiting", reenter: true, actions: "tellLook" } } },
      },
    },
  },
});

type Snapshot = SnapshotFrom<typeof deskMachine>;

/** What is being done or asked about, or waits for it. */
export const selectDeeds = (snapshot: Snapshot): readonly Deed[] => snapshot.context.deeds;
/** What the person is asked about; null when nothing is. */
export const selectAskedDeed = (snapshot: Snapshot): Deed | null =>
  snapshot.matches({ work: "asking" }) ? (snapshot.context.deeds[0] ?? null) : null;
/** A code of the contract. */
export const selectDeskFailure = (snapshot: Snapshot): string | null => snapshot.context.failure;
