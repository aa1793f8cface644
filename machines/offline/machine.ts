import { assign, emit, fromCallback, fromPromise, type SnapshotFrom, setup } from "xstate";
import { notProvided } from "#machines/not-provided.ts";
import { exponentialBackOff } from "#machines/transcriptions/event-stream.ts";

/** From the actor `network`. */
export type OfflineEvent =
  /** What the browser says of it. A network that is there need not lead to the server. */
  | { type: "network.lost" }
  | { type: "network.found" }
  /** The page was opened without the server. */
  | { type: "server.missed" };

/** Emitted to the rest of the page. */
export type OfflineEmitted = { type: "server.away" } | { type: "server.back" };

interface OfflineContext {
  /** How often the server was asked in vain, since the browser last said something. */
  attempts: number;
}

/**
 * Whether the server can be reached: a page that was opened without it asks for it until it answers. What fails in between says so where
 * it was wanted.
 */
export const offlineMachine = setup({
  types: {
    context: {} as OfflineContext,
    events: {} as OfflineEvent,
    emitted: {} as OfflineEmitted,
    tags: {} as "away",
  },
  actors: {
    network: fromCallback<OfflineEvent>(() => notProvided("network")),
    /** Resolves when the page's server has answered anything. */
    ask: fromPromise<void>(async () => notProvided("ask")),
  },
  actions: {
    emitLeft: emit({ type: "server.away" }),
    emitBack: emit({ type: "server.back" }),
    countAttempt: assign({ attempts: ({ context }) => context.attempts + 1 }),
    startOver: assign({ attempts: 0 }),
  },
  delays: { backOff: ({ context }) => exponentialBackOff(context.attempts) },
}).createMachine({
  id: "offline",
  context: { attempts: 0 },
  invoke: { src: "network" },
  initial: "reached",
  states: {
    reached: { on: { "network.lost": "away.cut", "server.missed": "away" } },
    away: {
      tags: "away",
      entry: ["startOver", "emitLeft"],
      exit: "emitBack",
      initial: "asking",
      on: {
        // Nothing is asked of a device that has no network: it says when it has one.
        "network.lost": { target: ".cut", actions: "startOver" },
        "network.found": { target: ".asking", actions: "startOver" },
      },
      states: {
        cut: {},
        asking: { invoke: { src: "ask", onDone: "#offline.reached", onError: { target: "waiting", actions: "countAttempt" } } },
        waiting: { after: { backOff: "asking" } },
      },
    },
  },
});

/** Nothing that needs the server can be done. */
export const selectIsAway = (snapshot: SnapshotFrom<typeof offlineMachine>): boolean => snapshot.hasTag("away");
