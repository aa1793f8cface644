import { type ActorRefFrom, createActor, fromPromise } from "xstate";
import { billingMachine, type CheckoutCall } from "../../machines/billing.ts";
import { checkoutReturnMachine } from "../../machines/checkout-return.ts";
import { isPremiumStatus } from "../../machines/subscription.ts";
import { ApiError } from "../api/http.ts";
import { createSubscriptionsApi } from "../api/subscriptions.ts";
import { call } from "./api.ts";
import { isSignedIn } from "./guard.ts";
import { inspected } from "./inspection.ts";
import { openSubscription } from "./subscription.ts";
import { toast } from "./toasts.ts";

const api = createSubscriptionsApi(call);

/** Another site, or the placeholder on this one. */
async function leave(url: string): Promise<void> {
  const there = new URL(url, location.href);
  if (!/^https?:$/.test(there.protocol)) throw new Error("This is no address of a page.");
  location.assign(there.href);
}

const machine = billingMachine.provide({
  actors: {
    fetchHistory: fromPromise(({ signal }) => api.history(signal)),
    startCheckout: fromPromise(({ input: { interval, call: by }, signal }) =>
      by === "account" ? api.startCheckout(interval, signal) : api.createCheckout(interval, signal),
    ),
    openPortal: fromPromise(({ signal }) => api.openPortal(signal)),
    cancel: fromPromise(({ signal }) => api.cancel(signal)),
    leave: fromPromise(({ input }) => leave(input.url)),
  },
});
export type Billing = ActorRefFrom<typeof machine>;

let billing: { actor: Billing; call: CheckoutCall } | undefined;

function open(by: CheckoutCall): Billing {
  if (billing?.call === by) return billing.actor;
  closeBilling();
  const actor = createActor(machine, { ...inspected(), input: { call: by } });
  actor.on("history.told", ({ invoices }) => openSubscription().send({ type: "history.told", invoices }));
  actor.on("cancelled", () => {
    // SPEC.md section 4: after cancellation, the subscription is refetched.
    openSubscription().send({ type: "changed", now: Date.now() });
    actor.send({ type: "subscription.changed" });
    toast({ kind: "success", key: "billing:cancelled" });
  });
  billing = { actor: actor.start(), call: by };
  return actor;
}

/** The subscription page: what is subscribed to is asked for anew. */
export function openBilling(): Billing {
  const subscription = openSubscription();
  subscription.send({ type: "changed", now: Date.now() });
  subscription.send({ type: "fetch.requested", now: Date.now() });
  return open("account");
}

/** For who comes back without a checkout, and may try again: by the call that tells what went wrong. */
export function openCheckout(): Billing {
  return open("plan");
}

/** The page is left. */
export function closeBilling(): void {
  billing?.actor.stop();
  billing = undefined;
}

const returning = checkoutReturnMachine.provide({
  actors: {
    ask: fromPromise(async ({ signal }) => {
      // Who is signed out is not sent to the sign-in: the payment is worth a word first.
      if (!(await isSignedIn(signal))) throw new ApiError(401, "unauthorized");
      const paid = isPremiumStatus((await api.details(signal))?.status);
      if (paid) openSubscription().send({ type: "changed", now: Date.now() });
      return paid;
    }),
  },
});
export type CheckoutReturn = ActorRefFrom<typeof returning>;

let returned: CheckoutReturn | undefined;

/** Somebody comes back from a checkout: the same actor until the page is left. */
export function openCheckoutReturn(): CheckoutReturn {
  returned ??= createActor(returning, inspected()).start();
  return returned;
}

export function closeCheckoutReturn(): void {
  returned?.stop();
  returned = undefined;
}
