import { assign, fromPromise, type SnapshotFrom, setup } from "xstate";
import { notProvided } from "#machines/not-provided.ts";

export type CheckoutReturnEvent =
  /** The person wants to check now. */
  { type: "retry.requested" };

const outcomes = ["waiting", "confirmed", "unconfirmed", "signedOut"] as const;
type Outcome = (typeof outcomes)[number];

interface CheckoutReturnContext {
  /** The number of polls so far. */
  asked: number;
}

/** Poll interval and number of polls: half a minute in all, several times what payment providers need. */
const pauseMs = 2_000;
const maxQuestions = 15;

/** After a checkout: polls until the server knows of the subscription, and shows the actual state when it still does not. */
export const checkoutReturnMachine = setup({
  types: { context: {} as CheckoutReturnContext, events: {} as CheckoutReturnEvent, tags: {} as Outcome },
  actors: {
    /** Whether the server has it as paid. Rejects when it can't be asked; the error has `signedOut` when signed out. */
    ask: fromPromise<boolean>(async () => notProvided("ask")),
  },
  actions: { count: assign({ asked: ({ context }) => context.asked + 1 }), beginAnew: assign({ asked: 0 }) },
  guards: {
    isEnough: ({ context }) => context.asked >= maxQuestions,
    isSignedOut: (_, { error }: { error: unknown }) => error instanceof Error && "status" in error && error.status === 401,
  },
  delays: { pause: pauseMs },
}).createMachine({
  id: "checkoutReturn",
  context: { asked: 0 },
  initial: "asking",
  states: {
    asking: {
      tags: "waiting",
      entry: "count",
      invoke: {
        src: "ask",
        onDone: [{ guard: ({ event }) => event.output, target: "confirmed" }, { target: "waiting" }],
        onError: [{ guard: { type: "isSignedOut", params: ({ event }) => event }, target: "signedOut" }, { target: "waiting" }],
      },
    },
    waiting: { tags: "waiting", always: { guard: "isEnough", target: "unconfirmed" }, after: { pause: "asking" } },
    confirmed: { tags: "confirmed", type: "final" },
    unconfirmed: { tags: "unconfirmed", on: { "retry.requested": { target: "asking", actions: "beginAnew" } } },
    signedOut: { tags: "signedOut", on: { "retry.requested": { target: "asking", actions: "beginAnew" } } },
  },
});

type Snapshot = SnapshotFrom<typeof checkoutReturnMachine>;

/** What the page shows. */
export const selectOutcome = (snapshot: Snapshot): Outcome => outcomes.find((outcome) => snapshot.hasTag(outcome)) ?? "waiting";
