import { type Actor, createActor, fromPromise, waitFor } from "xstate";
import { selectIsPremium, selectIsSettled, selectSubscriptionFailed, subscriptionMachine } from "../../machines/subscription.ts";
import { createSubscriptionsApi } from "../api/subscriptions.ts";
import { call } from "./api.ts";
import { inspected } from "./inspection.ts";
import { currentUserId } from "./session.ts";

const api = createSubscriptionsApi(call);
const machine = subscriptionMachine.provide({ actors: { fetchSubscription: fromPromise(({ signal }) => api.find(signal)) } });

let open: { owner: string | null; actor: Actor<typeof subscriptionMachine> } | undefined;

/** The signed-in person's subscription; lives as long as the page, and is another one for another person. */
export function openSubscription(): Actor<typeof subscriptionMachine> {
  const owner = currentUserId();
  if (open?.owner === owner) return open.actor;
  open?.actor.stop();
  open = { owner, actor: createActor(machine, inspected()).start() };
  return open.actor;
}

/** @throws Error when the server could not tell */
export async function isPremium(signal: AbortSignal): Promise<boolean> {
  const actor = openSubscription();
  actor.send({ type: "fetch.requested", now: Date.now() });
  const settled = await waitFor(actor, selectIsSettled, { signal });
  if (selectSubscriptionFailed(settled)) throw new Error("The subscription could not be fetched");
  return selectIsPremium(settled);
}
