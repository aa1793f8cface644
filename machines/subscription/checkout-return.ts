import { assign, fromPromise, type SnapshotFrom, setup } from "xstate";
import { notProvided } from "#machines/not-provided.ts";

export type CheckoutReturnEvent =
  /** The person wants to know now. */
  { type: "retry.requested" };

interface CheckoutReturnContext {
  /** How often the server has been asked. */
  asked: number;
}

/** Between two questions, and how many there are: half a minute in all, several times what payment providers need to tell. */
const pauseMs = 2_000;
const maxQuestions = 15;

/** After a checkout: asks until the server knows of the subscription, and says what is true when it still does not. */
export const checkoutReturnMachine = setup({
  types: { context: {} as CheckoutReturnContext, events: {} as CheckoutReturnEvent },
  actors: {
    /** Whether the server knows that it is paid. Rejects when it can't be asked; `signedOut` stands on the error when nobody is signed in. */
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

/** What the page says. */
export function selectOutcome(snapshot: Snapshot): "waiting" | "confirmed" | "unconfirmed" | "signedOut" {
  if (snapshot.matches("confirmed")) return "confirmed";
  if (snapshot.matches("unconfirmed")) return "unconfirmed";
  return snapshot.matches("signedOut") ? "signedOut" : "waiting";
}
