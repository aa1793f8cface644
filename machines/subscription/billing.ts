import { assign, emit, fromPromise, type SnapshotFrom, setup } from "xstate";
import type { Invoice } from "#contract/index.ts";
import { isNotOffered } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";

export type BillingInterval = "year" | "month";

export type BillingEvent =
  /** The person chooses how to pay. */
  | { type: "interval.chosen"; interval: BillingInterval }
  /** The person wants premium. */
  | { type: "checkout.requested" }
  /** The person wants to see to payment details. */
  | { type: "portal.requested" }
  /** The person wants to cancel, and is asked once more; the dialog: so it is, or not. */
  | { type: "cancel.requested" }
  | { type: "cancel.confirmed" }
  | { type: "cancel.dismissed" }
  /** The person: the invoices once more. */
  | { type: "history.requested" }
  /** The page: what is paid may be another by now. */
  | { type: "subscription.changed" };

/** What the rest of the page hears. */
export type BillingEmitted = { type: "cancelled" } | { type: "history.loaded"; invoices: readonly Invoice[] };

interface BillingContext {
  interval: BillingInterval;
  /** A key of the locale files: why the last thing that was wanted did not work. */
  failure: string | null;
  /** By which of SPEC.md section 7's two calls a checkout is begun. */
  call: CheckoutCall;
}

/** `account` leads to a placeholder when it fails; `plan` says what went wrong. */
export type CheckoutCall = "account" | "plan";

const keyOf = (error: unknown, fallback: string): string =>
  error instanceof Error && "key" in error && typeof error.key === "string" ? error.key : fallback;

/** Paying on the subscription page: begun, looked after, cancelled. Addresses of other pages are left for by the actor `leave`. */
export const billingMachine = setup({
  types: {
    context: {} as BillingContext,
    events: {} as BillingEvent,
    emitted: {} as BillingEmitted,
    input: {} as { call: CheckoutCall; interval?: BillingInterval | undefined },
  },
  actors: {
    fetchHistory: fromPromise<readonly Invoice[]>(async () => notProvided("fetchHistory")),
    /** Resolves with the address of a checkout. */
    startCheckout: fromPromise<string, { interval: BillingInterval; call: CheckoutCall }>(async () =>
      notProvided("startCheckout"),
    ),
    openPortal: fromPromise<string>(async () => notProvided("openPortal")),
    cancel: fromPromise<void>(async () => notProvided("cancel")),
    /** Goes to another site, or back to this one. Never resolves when it works: the page is left. */
    leave: fromPromise<void, { url: string }>(async () => notProvided("leave")),
  },
  actions: {
    chooseInterval: assign({ interval: (_, { interval }: { interval: BillingInterval }) => interval }),
    /** The subscription machine keeps it (SPEC.md section 3, "billingHistory"). */
    emitHistory: emit(
      (_, { invoices }: { invoices: readonly Invoice[] }): BillingEmitted => ({ type: "history.loaded", invoices }),
    ),
    forgetFailure: assign({ failure: null }),
    fail: assign({ failure: (_, { error, fallback }: { error: unknown; fallback: string }) => keyOf(error, fallback) }),
    emitCancelled: emit({ type: "cancelled" } as const),
  },
  guards: {
    showsHistory: ({ context }) => context.call === "account",
    isNotOffered: (_, { error }: { error: unknown }) => isNotOffered(error),
  },
}).createMachine({
  id: "billing",
  context: ({ input: { call, interval = "year" } }) => ({ interval, failure: null, call }),
  type: "parallel",
  on: { "interval.chosen": { actions: { type: "chooseInterval", params: ({ event }) => event } } },
  states: {
    history: {
      initial: "deciding",
      states: {
        /** Where a checkout is tried again, nobody asks what was paid. */
        deciding: { always: [{ guard: "showsHistory", target: "loading" }, { target: "unwanted" }] },
        unwanted: {},
        /** A server that does not say is not asked again. */
        notOffered: {},
        loading: {
          invoke: {
            src: "fetchHistory",
            onDone: { target: "loaded", actions: { type: "emitHistory", params: ({ event }) => ({ invoices: event.output }) } },
            onError: [
              { guard: { type: "isNotOffered", params: ({ event }) => event }, target: "notOffered" },
              { target: "failed" },
            ],
          },
        },
        loaded: { on: { "subscription.changed": "loading" } },
        failed: { on: { "history.requested": "loading", "subscription.changed": "loading" } },
      },
    },
    paying: {
      initial: "idle",
      states: {
        idle: {
          on: {
            "checkout.requested": { target: "startingCheckout", actions: "forgetFailure" },
            "portal.requested": { target: "openingPortal", actions: "forgetFailure" },
            "cancel.requested": { target: "confirmingCancellation", actions: "forgetFailure" },
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
/** A key of the locale files. */
export const selectBillingFailure = (snapshot: Snapshot): string | null => snapshot.context.failure;
export const selectIsStartingCheckout = (snapshot: Snapshot): boolean =>
  snapshot.matches({ paying: "startingCheckout" }) || snapshot.matches({ paying: "leaving" });
export const selectIsOpeningPortal = (snapshot: Snapshot): boolean => snapshot.matches({ paying: "openingPortal" });
export const selectIsConfirming = (snapshot: Snapshot): boolean => snapshot.matches({ paying: "confirmingCancellation" });
export const selectIsCancelling = (snapshot: Snapshot): boolean => snapshot.matches({ paying: "cancelling" });
