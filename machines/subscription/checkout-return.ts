import { assign, fromPromise, type SnapshotFrom, setup } from "xstate";
import { notProvided } from "#machines/not-provided.ts";

export type CheckoutReturnEvent =
  /** The person wants to check now. */
  { type: "retry.requested" };

interface CheckoutReturnContext {
  /** The number of polls so far. */
  asked: number;
}

/** Poll interval and number of polls: half a minute in all, several times what payment providers need. */
const pauseMs = 2_000;
const maxQuestions = 15;

/** After a checkout: polls until the server knows of the subscription, and shows the actual state when it still does not. */
export const checkoutReturnMachine = setup({
  types: { context: {} as CheckoutReturnContext, events: {} as CheckoutReturnEvent },
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
      entry: "count",
      invoke: {
        src: "ask",
        onDone: [{ guard: ({ event }) => event.output, target: "confirmed" }, { target: "waiting" }],
        onError: [{ guard: { type: "isSignedOut", params: ({ event }) => event }, target: "signedOut" }, { target: "waiting" }],
      },
    },
    waiting: { always: { guard: "isEnough", target: "unconfirmed" }, after: { pause: "asking" } },
    confirmed: { type: "final" },
    unconfirmed: { on: { "retry.requested": { target: "asking", actions: "beginAnew" } } },
    signedOut: { on: { "retry.requested": { target: "asking", actions: "beginAnew" } } },
  },
});

type Snapshot = SnapshotFrom<typeof checkoutReturnMachine>;

/** What the page shows. */
export function selectOutcome(snapshot: Snapshot): "waiting" | "confirmed" | "unconfirmed" | "signedOut" {
  if (snapshot.matches("confirmed")) return "confirmed";
  if (snapshot.matches("unconfirmed")) return "unconfirmed";
  return snapshot.matches("signedOut") ? "signedOut" : "waiting";
}
