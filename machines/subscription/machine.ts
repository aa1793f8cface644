import { assign, fromPromise, type SnapshotFrom, setup } from "xstate";
import type { Invoice, Subscription, Usage } from "#contract/index.ts";
import { codeOf } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { minutesLeft, usageLevel } from "./usage.ts";

export type SubscriptionEvent =
  /** A guard or a page needs the subscription; `now` in epoch ms. */
  | { type: "fetch.requested"; now: number }
  /** The known state may be stale (a checkout has ended). */
  | { type: "subscription.changed"; now: number }
  /** The usage machine has an answer of the server. */
  | { type: "usage.loaded"; usage: Usage }
  /** The billing machine has an answer of the server. */
  | { type: "history.loaded"; invoices: readonly Invoice[] }
  /** The person signed out: the next one must see nothing of it. */
  | { type: "reset.requested" };

interface SubscriptionContext {
  /** null: there is none, or it was not fetched yet. */
  details: Subscription | null;
  /** null: not known yet. */
  usageData: Usage | null;
  /** Invoices, newest first; null: not known yet. */
  billingHistory: readonly Invoice[] | null;
  /** When it was fetched, epoch ms. */
  fetchedAt: number | null;
  /** Why the last fetch failed: an error code of the contract. */
  error: string | null;
}

const nothingKnown: SubscriptionContext = {
  details: null,
  usageData: null,
  billingHistory: null,
  fetchedAt: null,
  error: null,
};

/** SPEC.md section 4, "Subscription". */
const premium: readonly string[] = ["active", "trialing"];
export const isPremiumStatus = (status: string | undefined): boolean => status !== undefined && premium.includes(status);
/** How long an answer stays fresh (ms): guards ask on every navigation. */
const freshMs = 60_000;

/** A user's subscription (SPEC.md section 4, "Subscription"). The states are the spec's fetch statuses. */
export const subscriptionMachine = setup({
  types: { context: {} as SubscriptionContext, events: {} as SubscriptionEvent },
  actors: {
    /** null when the server answers 404: free. */
    fetchSubscription: fromPromise<Subscription | null>(async () => notProvided("fetchSubscription")),
  },
  actions: {
    noteFetch: assign({ fetchedAt: (_, { now }: { now: number }) => now }),
    keep: assign((_, { details }: { details: Subscription | null }) => ({ details, error: null })),
    keepUsage: assign({ usageData: (_, { usage }: { usage: Usage }) => usage }),
    keepHistory: assign({ billingHistory: (_, { invoices }: { invoices: readonly Invoice[] }) => invoices }),
    resetContext: assign(nothingKnown),
    keepError: assign((_, { error }: { error: unknown }) => ({ error: codeOf(error), fetchedAt: null })),
  },
  guards: {
    isStale: ({ context }, { now }: { now: number }) => context.fetchedAt === null || now - context.fetchedAt >= freshMs,
  },
}).createMachine({
  id: "subscription",
  context: nothingKnown,
  initial: "idle",
  on: {
    "reset.requested": { target: ".idle", actions: "resetContext" },
    "usage.loaded": { actions: { type: "keepUsage", params: ({ event }) => event } },
    "history.loaded": { actions: { type: "keepHistory", params: ({ event }) => event } },
  },
  states: {
    idle: {
      on: { "fetch.requested": { target: "loading", actions: { type: "noteFetch", params: ({ event }) => event } } },
    },
    loading: {
      on: {
        "subscription.changed": {
          target: "loading",
          reenter: true,
          actions: { type: "noteFetch", params: ({ event }) => event },
        },
      },
      invoke: {
        src: "fetchSubscription",
        onDone: { target: "succeeded", actions: { type: "keep", params: ({ event }) => ({ details: event.output }) } },
        onError: { target: "failed", actions: { type: "keepError", params: ({ event }) => event } },
      },
    },
    succeeded: {
      on: {
        "fetch.requested": {
          guard: { type: "isStale", params: ({ event }) => event },
          target: "loading",
          actions: { type: "noteFetch", params: ({ event }) => event },
        },
        "subscription.changed": { target: "loading", actions: { type: "noteFetch", params: ({ event }) => event } },
      },
    },
    failed: {
      on: {
        "fetch.requested": { target: "loading", actions: { type: "noteFetch", params: ({ event }) => event } },
        "subscription.changed": { target: "loading", actions: { type: "noteFetch", params: ({ event }) => event } },
      },
    },
  },
});

type Snapshot = SnapshotFrom<typeof subscriptionMachine>;

export type SubscriptionStatus = "free" | "premium" | "loading";

/** SPEC.md section 3, "subscriptionStatus". */
export function selectSubscriptionStatus(snapshot: Snapshot): SubscriptionStatus {
  const { details } = snapshot.context;
  if (details !== null) return isPremiumStatus(details.status) ? "premium" : "free";
  return selectIsSettled(snapshot) ? "free" : "loading";
}
/** null: there is none, or it is not known yet. */
export const selectDetails = (snapshot: Snapshot): Subscription | null => snapshot.context.details;
export const selectIsPremium = (snapshot: Snapshot): boolean => selectSubscriptionStatus(snapshot) === "premium";
/** No fetch is under way. */
export const selectIsSettled = (snapshot: Snapshot): boolean => snapshot.matches("succeeded") || snapshot.matches("failed");
export const selectSubscriptionFailed = (snapshot: Snapshot): boolean => snapshot.matches("failed");

/** Newest first; null until known. */
export const selectBillingHistory = (snapshot: Snapshot): readonly Invoice[] | null => snapshot.context.billingHistory;
/** The minutes of this month; null until known. The same object until the next fetch. */
export const selectUsage = (snapshot: Snapshot): Usage | null => snapshot.context.usageData;
/** Of the free tier, this month; null without a limit, and until known. */
export function selectMinutesLeft({ context: { usageData } }: Snapshot): number | null {
  return usageData === null ? null : minutesLeft(usageData);
}
/** The free minutes are used up: the server accepts no new work. */
export const selectIsAtLimit = ({ context: { usageData } }: Snapshot): boolean =>
  usageData !== null && usageLevel(usageData) === "reached";
