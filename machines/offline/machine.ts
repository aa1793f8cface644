import { assign, emit, fromCallback, fromPromise, type SnapshotFrom, setup } from "xstate";
import { notProvided } from "#machines/not-provided.ts";
import { exponentialBackOff } from "#machines/transcriptions/event-stream.ts";

/** From the actor `network`. */
export type OfflineEvent =
  /** The browser's view of the network. A network may exist and still not reach the server. */
  | { type: "network.lost" }
  | { type: "network.found" }
  /** The page was opened without the server. */
  | { type: "server.missed" };

/** Emitted to the rest of the page. */
export type OfflineEmitted = { type: "server.away" } | { type: "server.back" };

interface OfflineContext {
  /** Failed attempts to reach the server since the browser's last event. */
  attempts: number;
}

/**
 * Whether the server can be reached. A page that was opened without the server asks for it until it answers. Requests
 * that fail in between show their own errors.
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
    /** Resolves when the server has answered, with any status. */
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
        // Without a network, the server is not asked: the browser reports when there is one.
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

/** Whether the server can't be reached. */
export const selectIsAway = (snapshot: SnapshotFrom<typeof offlineMachine>): boolean => snapshot.hasTag("away");
