import { assign, fromCallback, fromPromise, type SnapshotFrom, setup } from "xstate";
import { notProvided } from "#machines/not-provided.ts";

export type UpdateEvent =
  /** From the actor `worker`: a new version is installed and waits; another tab has activated it. */
  | { type: "version.waiting" }
  | { type: "version.taken" }
  /** From the actor `page`: a reload would lose a recording, an upload or typed text; then it would not anymore. */
  | { type: "page.held" }
  | { type: "page.released" }
  /** The person updates now, or later. */
  | { type: "update.requested" }
  | { type: "update.postponed" };

interface UpdateContext {
  isHeld: boolean;
  /** Whether another tab has already activated the new version. */
  isTaken: boolean;
}

/** If the worker doesn't answer within this time (ms), the page reloads anyway: the server has the new version. */
const longestTaking = 5_000;

/**
 * A new version of the page. It is offered when nothing would be lost, and activated when the person agrees. The page
 * never reloads while something is recorded, sent or typed.
 */
export const updateMachine = setup({
  types: { context: {} as UpdateContext, events: {} as UpdateEvent },
  actors: {
    worker: fromCallback<UpdateEvent>(() => notProvided("worker")),
    page: fromCallback<UpdateEvent>(() => notProvided("page")),
    /** Resolves when the new version's worker has replaced the old one. */
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
    /** A newer version exists. */
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
        /** If the person has just begun to speak, the page does not reload. */
        taken: { entry: "markTaken", always: [{ guard: "isHeld", target: "held" }, { target: "#update.reloading" }] },
      },
    },
    /** The new version comes with the next reload. */
    postponed: { on: { "version.waiting": "found" } },
    reloading: { entry: "reload" },
  },
});

type UpdateSnapshot = SnapshotFrom<typeof updateMachine>;

/** Whether the person can update now. */
export const selectIsOffered = (snapshot: UpdateSnapshot): boolean => snapshot.can({ type: "update.requested" });
