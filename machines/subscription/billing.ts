import { assign, emit, fromPromise, type SnapshotFrom, setup } from "xstate";
import type { Invoice } from "#contract/index.ts";
import { type Failed, isNotOffered } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";

export type BillingInterval = "year" | "month";

export type BillingEvent =
  /** The person chooses the billing interval. */
  | { type: "interval.chosen"; interval: BillingInterval }
  /** The person buys premium. */
  | { type: "checkout.requested" }
  /** The person manages payment details. */
  | { type: "portal.requested" }
  /** The person cancels the subscription, and confirms or dismisses the dialog. */
  | { type: "cancel.requested" }
  | { type: "cancel.confirmed" }
  | { type: "cancel.dismissed" }
  /** The person reloads the invoices. */
  | { type: "history.requested" }
  /** The page reports that the plan may have changed. */
  | { type: "subscription.changed" };

/** Emitted to the rest of the page. */
export type BillingEmitted = { type: "subscription.cancelled" };

interface BillingContext {
  interval: BillingInterval;
  /** Newest first (SPEC.md section 3, "billingHistory"). The last answer stays; null before the first one. */
  invoices: readonly Invoice[] | null;
  /** Why the last request failed: a key of the locale files. */
  failure: string | null;
  /** The call of SPEC.md section 7 that starts a checkout. */
  call: CheckoutCall;
  /** The person chose the plan before this page: the checkout starts automatically. */
  isWanted: boolean;
}

/** After a failure, `account` leads to a placeholder, and `plan` shows the error. */
export type CheckoutCall = "account" | "plan";

const keyOf = (error: unknown, fallback: string): string =>
  error instanceof Error && "key" in error && typeof error.key === "string" ? error.key : fallback;

/**
 * Payment on the subscription page: checkout, payment details, cancellation, and past invoices. The actor `leave`
 * navigates to other sites.
 */
export const billingMachine = setup({
  types: {
    context: {} as BillingContext,
    events: {} as BillingEvent,
    emitted: {} as BillingEmitted,
    input: {} as { call: CheckoutCall; interval?: BillingInterval | undefined; isWanted?: boolean },
  },
  actors: {
    fetchHistory: fromPromise<readonly Invoice[]>(async () => notProvided("fetchHistory")),
    /** Checks for an existing subscription, which a person who signs in to buy may have forgotten. */
    checkPlan: fromPromise<{ premium: boolean }>(async () => notProvided("checkPlan")),
    /** Resolves with the checkout URL. */
    startCheckout: fromPromise<string, { interval: BillingInterval; call: CheckoutCall }>(async () =>
      notProvided("startCheckout"),
    ),
    openPortal: fromPromise<string>(async () => notProvided("openPortal")),
    cancel: fromPromise<void>(async () => notProvided("cancel")),
    /** Navigates to another site, or within this one. Never resolves on success, because the page is left. */
    leave: fromPromise<void, { url: string }>(async () => notProvided("leave")),
  },
  actions: {
    chooseInterval: assign({ interval: (_, { interval }: { interval: BillingInterval }) => interval }),
    assignHistory: assign({ invoices: (_, invoices: readonly Invoice[]) => invoices }),
    clearFailure: assign({ failure: null }),
    fail: assign({ failure: (_, { error, fallback }: { error: unknown; fallback: string }) => keyOf(error, fallback) }),
    emitCancelled: emit({ type: "subscription.cancelled" } as const),
  },
  guards: {
    showsHistory: ({ context }) => context.call === "account",
    isWanted: ({ context }) => context.isWanted,
    isPremium: (_, { premium }: { premium: boolean }) => premium,
    isNotOffered: (_, { error }: Failed) => isNotOffered(error),
  },
}).createMachine({
  id: "billing",
  context: ({ input: { call, interval = "year", isWanted = false } }) => ({
    interval,
    invoices: null,
    failure: null,
    call,
    isWanted,
  }),
  type: "parallel",
  on: { "interval.chosen": { actions: withEvent("chooseInterval") } },
  states: {
    history: {
      initial: "deciding",
      states: {
        /** The page that retries a checkout needs no invoices. */
        deciding: { always: [{ guard: "showsHistory", target: "loading" }, { target: "unwanted" }] },
        unwanted: {},
        /** A server without this call is not asked again. */
        notOffered: {},
        loading: {
          invoke: {
            src: "fetchHistory",
            onDone: { target: "loaded", actions: withOutput("assignHistory") },
            onError: [{ guard: withEvent("isNotOffered"), target: "notOffered" }, { target: "failed" }],
          },
        },
        loaded: { on: { "subscription.changed": "loading" } },
        failed: { on: { "history.requested": "loading", "subscription.changed": "loading" } },
      },
    },
    paying: {
      initial: "deciding",
      states: {
        deciding: { always: [{ guard: "isWanted", target: "checkingPlan" }, { target: "idle" }] },
        /** Prevents a second payment. If the plan is unknown, the page says so, and the person decides. */
        checkingPlan: {
          invoke: {
            src: "checkPlan",
            onDone: [{ guard: withOutput("isPremium"), target: "idle" }, { target: "startingCheckout" }],
            onError: "idle",
          },
        },
        idle: {
          on: {
            "checkout.requested": { target: "startingCheckout", actions: "clearFailure" },
            "portal.requested": { target: "openingPortal", actions: "clearFailure" },
            "cancel.requested": { target: "confirmingCancellation", actions: "clearFailure" },
          },
        },
        startingCheckout: {
          invoke: {
            src: "startCheckout",
            input: ({ context: { interval, call } }) => ({ interval, call }),
            onDone: "leaving",
            onError: {
              target: "idle",
              actions: { type: "fail", params: ({ event }) => ({ ...event, fallback: "subscription:checkoutFailed" }) },
            },
          },
        },
        openingPortal: {
          invoke: {
            src: "openPortal",
            onDone: "leaving",
            onError: {
              target: "idle",
              actions: { type: "fail", params: ({ event }) => ({ ...event, fallback: "subscription:portalFailed" }) },
            },
          },
        },
        leaving: {
          invoke: {
            src: "leave",
            input: ({ event }) => ({ url: "output" in event && typeof event.output === "string" ? event.output : "" }),
            onDone: "idle",
            onError: {
              target: "idle",
              actions: { type: "fail", params: ({ event }) => ({ ...event, fallback: "subscription:checkoutFailed" }) },
            },
          },
        },
        confirmingCancellation: { on: { "cancel.confirmed": "cancelling", "cancel.dismissed": "idle" } },
        cancelling: {
          invoke: {
            src: "cancel",
            onDone: { target: "idle", actions: "emitCancelled" },
            onError: {
              target: "idle",
              actions: { type: "fail", params: ({ event }) => ({ ...event, fallback: "subscription:cancelFailed" }) },
            },
          },
        },
      },
    },
  },
});

type Snapshot = SnapshotFrom<typeof billingMachine>;

export const selectInterval = (snapshot: Snapshot): BillingInterval => snapshot.context.interval;
export const selectHistoryIsOffered = (snapshot: Snapshot): boolean => !snapshot.matches({ history: "notOffered" });
export const selectHistoryFailed = (snapshot: Snapshot): boolean => snapshot.matches({ history: "failed" });
/** Newest first; null until known. The same array until the next fetch. */
export const selectBillingHistory = (snapshot: Snapshot): readonly Invoice[] | null => snapshot.context.invoices;
/** A key of the locale files. */
export const selectBillingFailure = (snapshot: Snapshot): string | null => snapshot.context.failure;
export const selectIsStartingCheckout = (snapshot: Snapshot): boolean =>
  snapshot.matches({ paying: "checkingPlan" }) ||
  snapshot.matches({ paying: "startingCheckout" }) ||
  snapshot.matches({ paying: "leaving" });
export const selectIsOpeningPortal = (snapshot: Snapshot): boolean => snapshot.matches({ paying: "openingPortal" });
export const selectIsConfirming = (snapshot: Snapshot): boolean => snapshot.matches({ paying: "confirmingCancellation" });
export const selectIsCancelling = (snapshot: Snapshot): boolean => snapshot.matches({ paying: "cancelling" });
