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
/** Among how many, the newest, those are looked for that were too long. */
const searched = 100;

/** It was longer than the free minutes that were left; what it was made from is kept. */
function isBlocked({ status, error }: TranscriptionSummary): boolean {
  return statusOf(status) === "failed" && error?.code === "limitReached";
}

/** How long the session may stay undecided after a checkout (ms); then it is checked again. */
const timeoutMs = 20_000;

/** Also for the first time: nothing has been fetched on a page that has just been opened. */
function refetchSubscription(): void {
  const subscription = openSubscription();
  subscription.send({ type: "subscription.changed" });
  subscription.send({ type: "fetch.requested" });
}

/** The checkout: another site, or the placeholder on this one. */
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
  /** What is chosen at first; "year" by default. */
  interval?: BillingInterval | undefined;
  /** The checkout begins at once. */
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
    // SPEC.md section 4: after cancellation, the subscription is refetched.
    openSubscription().send({ type: "subscription.changed" });
    actor.send({ type: "subscription.changed" });
    toast({ kind: "success", key: "subscription:cancelled" });
  });
  return actor.start();
}

interface SubscriptionVisit {
  /** A plan that was chosen before the sign-up is bought at once, by the person, at the checkout. */
  location: { search: object };
  /** The link is only pointed at: nothing is bought for that. */
  preload: boolean;
}

/**
 * The subscription page: reloads the subscription and the minutes. @returns undefined: not opened yet
 * @throws the router's redirect to the same page without the plan: whoever comes back from the checkout would begin it again
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
 * For a return without payment: the checkout can be retried by the same call, whose error explains the failure.
 * @param search of the address; there is one plan
 * @returns also whether it could not be started at all
 */
export function openCheckout(search: object): { billing: Billing; unavailable: boolean } {
  openSession();
  return { billing: open("plan", { interval: intervalIn(search) }), unavailable: "checkout" in search };
}

/** The page is left. */
export const closeBilling = billings.close;

const returning = checkoutReturnMachine.provide({
  actors: {
    ask: fromPromise(async ({ signal }) => {
      // A signed-out person is not redirected to the sign-in: the outcome of the payment is shown first.
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

/** The return from a checkout: the same actor until the page is left. */
export const { open: openCheckoutReturn, close: closeCheckoutReturn } = perVisit(() => {
  const actor = createActor(returning, inspected());
  actor.on("transcribing.began", ({ blocked: [first, ...others] }) => {
    const one = first !== undefined && others.length === 0;
    const there = { to: "/file-processing/$transcriptionId", params: { transcriptionId: first?.id ?? "" } } as const;
    void pageRouter().navigate(one ? there : { to: "/dashboard" });
  });
  return actor.start();
});
