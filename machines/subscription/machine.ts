import { assign, fromPromise, raise, type SnapshotFrom, setup } from "xstate";
import type { Subscription } from "#contract/index.ts";
import { codeOf, type Failed } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";

export type SubscriptionEvent =
  /** A guard or a page needs the subscription. */
  | { type: "fetch.requested" }
  /** The known state may be stale (a checkout has ended). */
  | { type: "subscription.changed" }
  /** The person signed out: the next user must not see this one's data. */
  | { type: "reset.requested" }
  /** Raised by the machine itself: the effect of the fetch on the status. */
  | { type: "fetch.began" }
  | { type: "fetch.succeeded" }
  | { type: "fetch.failed" };

interface SubscriptionInput {
  /** Epoch ms. */
  now(): number;
}

interface SubscriptionContext extends SubscriptionInput {
  /** null: no subscription, or not fetched yet. */
  details: Subscription | null;
  /** Epoch ms of the last successful fetch; null if there was none. */
  fetchedAt: number | null;
  /** Why the last fetch failed: an error code of the contract. */
  error: string | null;
}

const nothingKnown = { details: null, fetchedAt: null, error: null } as const;

/** SPEC.md section 4, "Subscription". */
const premium: readonly string[] = ["active", "trialing"];
export const isPremiumStatus = (status: string | undefined): boolean => status !== undefined && premium.includes(status);
/** How long an answer stays fresh, in ms: guards ask on every navigation. */
const freshMs = 60_000;

/**
 * A user's subscription (SPEC.md section 4, "Subscription"): `status` is the user's plan, `fetch` has the spec's fetch
 * statuses. A known subscription stays while it is fetched again. A known absence does not: the user may just have
 * paid.
 */
export const subscriptionMachine = setup({
  types: {
    context: {} as SubscriptionContext,
    events: {} as SubscriptionEvent,
    input: {} as SubscriptionInput,
    tags: {} as "settled",
  },
  actors: {
    /** null when the server answers 404: free. */
    fetchSubscription: fromPromise<Subscription | null>(async () => notProvided("fetchSubscription")),
  },
  actions: {
    noteFetch: assign({ fetchedAt: ({ context }) => context.now() }),
    assignDetails: assign((_, details: Subscription | null) => ({ details, error: null })),
    assignError: assign((_, { error }: Failed) => ({ error: codeOf(error), fetchedAt: null })),
    resetContext: assign(nothingKnown),
    raiseBegan: raise({ type: "fetch.began" }),
    raiseSucceeded: raise({ type: "fetch.succeeded" }),
    raiseFailed: raise({ type: "fetch.failed" }),
  },
  guards: {
    isStale: ({ context: { fetchedAt, now } }) => fetchedAt === null || now() - fetchedAt >= freshMs,
    isPremium: ({ context }) => isPremiumStatus(context.details?.status),
    hasNone: ({ context }) => context.details === null,
  },
}).createMachine({
  id: "subscription",
  context: ({ input }) => ({ ...nothingKnown, now: input.now }),
  type: "parallel",
  states: {
    status: {
      initial: "loading",
      on: {
        "fetch.succeeded": [{ guard: "isPremium", target: ".premium" }, { target: ".free" }],
        "reset.requested": ".loading",
      },
      states: {
        loading: { on: { "fetch.failed": "free" } },
        free: { on: { "fetch.began": { guard: "hasNone", target: "loading" } } },
        premium: {},
      },
    },
    fetch: {
      initial: "idle",
      on: { "reset.requested": { target: ".idle", actions: "resetContext" } },
      states: {
        idle: { on: { "fetch.requested": "loading" } },
        loading: {
          entry: ["noteFetch", "raiseBegan"],
          on: { "subscription.changed": { target: "loading", reenter: true } },
          invoke: {
            src: "fetchSubscription",
            onDone: { target: "succeeded", actions: withOutput("assignDetails") },
            onError: { target: "failed", actions: withEvent("assignError") },
          },
        },
        succeeded: {
          tags: "settled",
          entry: "raiseSucceeded",
          on: { "fetch.requested": { guard: "isStale", target: "loading" }, "subscription.changed": "loading" },
        },
        failed: {
          tags: "settled",
          entry: "raiseFailed",
          on: { "fetch.requested": "loading", "subscription.changed": "loading" },
        },
      },
    },
  },
});

type Snapshot = SnapshotFrom<typeof subscriptionMachine>;

export type SubscriptionStatus = "free" | "premium" | "loading";

/** SPEC.md section 3, "subscriptionStatus". */
export const selectSubscriptionStatus = (snapshot: Snapshot): SubscriptionStatus => snapshot.value.status;
export const selectIsPremium = (snapshot: Snapshot): boolean => snapshot.matches({ status: "premium" });
/** null: no subscription, or not known yet. */
export const selectDetails = (snapshot: Snapshot): Subscription | null => snapshot.context.details;
/** Whether the last fetch has an answer or has failed. */
export const selectIsSettled = (snapshot: Snapshot): boolean => snapshot.hasTag("settled");
export const selectSubscriptionFailed = (snapshot: Snapshot): boolean => snapshot.matches({ fetch: "failed" });
