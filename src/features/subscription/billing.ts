import { redirect } from "@tanstack/react-router";
import { type ActorRefFrom, createActor, fromPromise } from "xstate";
import { statusOf, type TranscriptionSummary } from "#contract/index.ts";
import { type BillingInterval, billingMachine, type CheckoutCall } from "#machines/subscription/billing.ts";
import { checkoutReturnMachine } from "#machines/subscription/checkout-return.ts";
import { isPremiumStatus } from "#machines/subscription/machine.ts";
import { intervalIn, wantedInterval } from "#machines/subscription/rules.ts";
import { ApiError } from "#src/api/http.ts";
import { createSubscriptionsApi } from "#src/api/subscription.ts";
import { createTranscriptionsApi } from "#src/api/transcriptions.ts";
import { inspected } from "#src/browser/inspection.ts";
import { pageRouter } from "#src/browser/page-router.ts";
import { perVisit } from "#src/browser/per-visit.ts";
import { toast } from "#src/browser/toasts.ts";
import { openSession, send } from "#src/features/session/actor.ts";
import { call } from "#src/features/session/api.ts";
import { isSignedIn } from "#src/features/session/guard.ts";
import { perOwner } from "#src/features/session/per-owner.ts";
import { isPremium, openSubscription } from "./actor.ts";
import { askUsage } from "./usage.ts";

const api = createSubscriptionsApi(call);
const transcriptions = createTranscriptionsApi(call, send);
/** The number of newest transcriptions among which it looks for files that were too long. */
const searched = 100;

/** Whether the file was longer than the remaining free minutes. The server keeps the file. */
function isBlocked({ status, error }: TranscriptionSummary): boolean {
  return statusOf(status) === "failed" && error?.code === "limitReached";
}

/** How long to wait for the session's state after a checkout (ms). Then the check is repeated. */
const timeoutMs = 20_000;

/** Both events are needed, because on a freshly opened page nothing has been fetched yet. */
function refetchSubscription(): void {
  const subscription = openSubscription();
  subscription.send({ type: "subscription.changed" });
  subscription.send({ type: "fetch.requested" });
}

/** Leaves for the checkout: another site, or the placeholder on this one. */
async function leave(url: string): Promise<void> {
  const there = new URL(url, location.href);
  if (!/^https?:$/.test(there.protocol)) throw new Error("This is no address of a page.");
  location.assign(there.href);
}

const machine = billingMachine.provide({
  actors: {
    fetchHistory: fromPromise(({ signal }) => api.history(signal)),
    checkPlan: fromPromise(async ({ signal }) => ({ premium: await isPremium(signal) })),
    startCheckout: fromPromise(({ input: { interval, call: by }, signal }) =>
      by === "account" ? api.startCheckout(interval, signal) : api.createCheckout(interval, signal),
    ),
    openPortal: fromPromise(({ signal }) => api.openPortal(signal)),
    cancel: fromPromise(({ signal }) => api.cancel(signal)),
    leave: fromPromise(({ input }) => leave(input.url)),
  },
});
export type Billing = ActorRefFrom<typeof machine>;

const billings = perOwner<{ actor: Billing; call: CheckoutCall }>({ end: ({ actor }) => actor.stop() });

interface Wish {
  /** The initially chosen interval; default "year". */
  interval?: BillingInterval | undefined;
  /** Whether the checkout begins at once. */
  isWanted?: boolean;
}

function open(by: CheckoutCall, wish: Wish): Billing {
  const mine = billings.mine();
  if (mine?.call === by) return mine.actor;
  return billings.replace(() => ({ actor: startBilling(by, wish), call: by })).actor;
}

function startBilling(by: CheckoutCall, wish: Wish): Billing {
  const actor = createActor(machine, { ...inspected(), input: { call: by, ...wish } });
  actor.on("subscription.cancelled", () => {
    // SPEC.md section 4: the subscription is refetched after a cancellation.
    openSubscription().send({ type: "subscription.changed" });
    actor.send({ type: "subscription.changed" });
    toast({ kind: "success", key: "subscription:cancelled" });
  });
  return actor.start();
}

interface SubscriptionVisit {
  /** The search may name the plan that the user chose before signing up. Its checkout starts at once. */
  location: { search: object };
  /** Whether the link is only preloaded. Then no checkout starts. */
  preload: boolean;
}

/**
 * Opens the subscription page. Reloads the subscription and the minutes.
 * @returns undefined on a preload
 * @throws the router's redirect to the same page without the plan; otherwise the browser's Back from the checkout
 *   would start it again
 */
export function openBilling({ location: { search }, preload }: SubscriptionVisit): Billing | undefined {
  if (preload) return undefined;
  refetchSubscription();
  askUsage();
  const interval = wantedInterval(search);
  const billing = open("account", { interval: intervalIn(search), isWanted: interval !== undefined });
  if (interval !== undefined) throw redirect({ to: "/subscription", search: { interval }, replace: true });
  return billing;
}

/**
 * Opens the page for a return without payment. The same call retries the checkout, and its error explains the failure.
 * @param search of the address, which may name the interval
 * @returns also whether the checkout could not be started at all
 */
export function openCheckout(search: object): { billing: Billing; unavailable: boolean } {
  openSession();
  return { billing: open("plan", { interval: intervalIn(search) }), unavailable: "checkout" in search };
}

/** Called when the user leaves the page. */
export const closeBilling = billings.close;

const returning = checkoutReturnMachine.provide({
  actors: {
    ask: fromPromise(async ({ signal }) => {
      // A signed-out user is not redirected to the sign-in, because the payment's outcome comes first.
      if (!(await isSignedIn(signal, timeoutMs))) throw new ApiError(401, "unauthorized");
      const paid = isPremiumStatus((await api.details(signal))?.status);
      if (paid) {
        refetchSubscription();
        askUsage();
      }
      return paid;
    }),
    findBlocked: fromPromise(async ({ signal }) => {
      const { data } = await transcriptions.history({ page: 1, limit: searched }, signal);
      return data.filter(isBlocked).map(({ id, title }) => ({ id, title }));
    }),
    transcribe: fromPromise(async ({ input, signal }) => {
      for (const { id } of input.blocked) await transcriptions.update(id, { retry: true }, signal);
    }),
  },
});
export type CheckoutReturn = ActorRefFrom<typeof returning>;

/** The return from a checkout. Returns the same actor until the user leaves the page. */
export const { open: openCheckoutReturn, close: closeCheckoutReturn } = perVisit(() => {
  const actor = createActor(returning, inspected());
  actor.on("transcribing.began", ({ blocked: [first, ...others] }) => {
    const one = first !== undefined && others.length === 0;
    const there = { to: "/file-processing/$transcriptionId", params: { transcriptionId: first?.id ?? "" } } as const;
    void pageRouter().navigate(one ? there : { to: "/dashboard" });
  });
  return actor.start();
});
