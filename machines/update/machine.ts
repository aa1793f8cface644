import { assign, fromCallback, fromPromise, type SnapshotFrom, setup } from "xstate";
import { notProvided } from "#machines/not-provided.ts";

export type UpdateEvent =
  /** From the actor `worker`: a new version has been installed and waits; another tab has taken it. */
  | { type: "version.waiting" }
  | { type: "version.taken" }
  /** From the actor `page`: something is recorded, sent or typed that a reload would cost; nothing is any more. */
  | { type: "page.held" }
  | { type: "page.released" }
  /** The person wants the new version, or not now. */
  | { type: "update.requested" }
  | { type: "update.postponed" };

interface UpdateContext {
  isHeld: boolean;
  /** It works already, for another tab: it need not be told to. */
  isTaken: boolean;
}

/** A worker that doesn't answer is no reason to wait: the server has the new version (ms). */
const longestTaking = 5_000;

/**
 * A new version of the page: it is said once nothing would be lost by it, and taken when the person says so. Nothing is ever reloaded while
 * something is recorded, sent or typed.
 */
export const updateMachine = setup({
  types: { context: {} as UpdateContext, events: {} as UpdateEvent },
  actors: {
    worker: fromCallback<UpdateEvent>(() => notProvided("worker")),
    page: fromCallback<UpdateEvent>(() => notProvided("page")),
    /** Resolves when the new version's worker has taken the place of the old one. */
    take: fromPromise<void>(async () => notProvided("take")),
  },
  actions: {
    noteHeld: assign({ isHeld: true }),
    noteReleased: assign({ isHeld: false }),
    markTaken: assign({ isTaken: true }),
    reload: () => notProvided("reload"),
  },
  guards: { isHeld: ({ context }) => context.isHeld, isTaken: ({ context }) => context.isTaken },
  delays: { longestTaking },
}).createMachine({
  id: "update",
  context: { isHeld: false, isTaken: false },
  invoke: [{ src: "worker" }, { src: "page" }],
  initial: "current",
  on: {
    "page.held": { actions: "noteHeld" },
    "page.released": { actions: "noteReleased" },
    "version.taken": { actions: "markTaken" },
  },
  states: {
    current: {
      on: {
        "version.waiting": "found",
        "version.taken": { target: "found", actions: "markTaken" },
      },
    },
    /** A newer one is there. */
    found: {
      initial: "deciding",
      on: { "update.postponed": "postponed" },
      states: {
        deciding: { always: [{ guard: "isHeld", target: "held" }, { target: "offered" }] },
        held: { on: { "page.released": { target: "offered", actions: "noteReleased" } } },
        offered: {
          on: {
            "page.held": { target: "held", actions: "noteHeld" },
            "update.requested": [{ guard: "isTaken", target: "#update.reloading" }, { target: "taking" }],
          },
        },
        taking: {
          invoke: { src: "take", onDone: "taken", onError: "taken" },
          after: { longestTaking: "taken" },
        },
        /** Whoever has begun to speak in this moment goes on. */
        taken: { entry: "markTaken", always: [{ guard: "isHeld", target: "held" }, { target: "#update.reloading" }] },
      },
    },
    /** It comes with the next reload. */
    postponed: { on: { "version.waiting": "found" } },
    reloading: { entry: "reload" },
  },
});

type UpdateSnapshot = SnapshotFrom<typeof updateMachine>;

/** The person can have it now. */
export const selectIsOffered = (snapshot: UpdateSnapshot): boolean => snapshot.can({ type: "update.requested" });
