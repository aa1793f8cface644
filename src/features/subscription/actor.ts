import { type Actor, createActor, fromPromise, waitFor } from "xstate";
import {
  selectIsPremium,
  selectIsSettled,
  selectSubscriptionFailed,
  subscriptionMachine,
} from "#machines/subscription/machine.ts";
import { createSubscriptionsApi } from "#src/api/subscriptions.ts";
import { inspected } from "#src/browser/inspection.ts";
import { currentUserId, session } from "#src/features/session/actor.ts";
import { call } from "#src/features/session/api.ts";
import { resetWith } from "#src/features/session/create-session.ts";

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

/** Whoever still shows it shows nothing of the person who has left. */
const reset = () => open?.actor.send({ type: "reset.requested" });

resetWith(session, "The subscription", reset);
let owner = currentUserId();
// Also where a session ends unasked, or somebody else has signed in.
session.subscribe(() => {
  if (owner === currentUserId()) return;
  owner = currentUserId();
  reset();
});

/** @throws Error when the server could not tell */
export async function isPremium(signal: AbortSignal): Promise<boolean> {
  const actor = openSubscription();
  actor.send({ type: "fetch.requested", now: Date.now() });
  const settled = await waitFor(actor, selectIsSettled, { signal });
  if (selectSubscriptionFailed(settled)) throw new Error("The subscription could not be fetched");
  return selectIsPremium(settled);
}
