import { type Actor, createActor, fromPromise, waitFor } from "xstate";
import {
  selectIsPremium,
  selectIsSettled,
  selectSubscriptionFailed,
  subscriptionMachine,
} from "#machines/subscription/machine.ts";
import { createSubscriptionsApi } from "#src/api/subscription.ts";
import { inspected } from "#src/browser/inspection.ts";
import { openSession } from "#src/features/session/actor.ts";
import { call } from "#src/features/session/api.ts";
import { resetWith } from "#src/features/session/create-session.ts";
import { perOwner } from "#src/features/session/per-owner.ts";

const api = createSubscriptionsApi(call);
type Subscription = Actor<typeof subscriptionMachine>;

const machine = subscriptionMachine.provide({ actors: { fetchSubscription: fromPromise(({ signal }) => api.find(signal)) } });

/** Clears the signed-out user's data from views that are still mounted. */
const reset = (actor: Subscription) => actor.send({ type: "reset.requested" });

const subscriptions = perOwner<Subscription>({
  signedOut: reset,
  end: (actor) => {
    reset(actor);
    actor.stop();
  },
});

/** The signed-in user's subscription, one for each user. It lives as long as the page. */
export function openSubscription(): Subscription {
  return subscriptions.open(() => {
    const actor = createActor(machine, { ...inspected(), input: { now: () => Date.now() } });
    actor.subscribe({ complete: resetWith(openSession(), "The subscription", () => reset(actor)) });
    return actor.start();
  });
}

/** @throws Error when the server could not answer */
export async function isPremium(signal: AbortSignal): Promise<boolean> {
  const actor = openSubscription();
  actor.send({ type: "fetch.requested" });
  const settled = await waitFor(actor, selectIsSettled, { signal });
  if (selectSubscriptionFailed(settled)) throw new Error("The subscription could not be fetched");
  return selectIsPremium(settled);
}
