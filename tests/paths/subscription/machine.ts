import { createActor } from "xstate";
import type { Subscription } from "#contract/index.ts";
import {
  selectIsPremium,
  selectIsSettled,
  selectSubscriptionFailed,
  selectSubscriptionStatus,
  subscriptionMachine,
} from "#machines/subscription/machine.ts";
import { answered, failure, refused, sent } from "#tests/paths/harness-moves.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
import type { RunOptions, Walk } from "#tests/paths/harness-walk.ts";

const minute = 60_000;
const subscriptionWith = (status: Subscription["status"]): Subscription => ({
  id: "s1",
  status,
  plan: "premium",
  interval: "month",
  currentPeriodEnd: null,
  cancelAtPeriodEnd: false,
});

/** Where whoever walks it in a browser is: before a paid page, on the page about the subscription, or anywhere else. */
type Place = "gate" | "subscription" | "elsewhere";

function prepare(stage: Stage) {
  const fetchSubscription = stage.asking<Subscription | null>();
  const machine = subscriptionMachine.provide({ actors: { fetchSubscription: fetchSubscription.logic } });
  return ({ clock, inspect }: RunOptions) => {
    const at: { place: Place } = { place: "elsewhere" };
    const actor = createActor(machine, { clock, inspect, input: { now: () => clock.now() } });
    return { actor, fetchSubscription, at };
  };
}
export type SubscriptionRig = ReturnType<ReturnType<typeof prepare>>;

const context = ({ actor }: SubscriptionRig) => actor.getSnapshot().context;
const asked = ({ fetchSubscription }: SubscriptionRig) => fetchSubscription;

const isLoading = ({ actor }: SubscriptionRig) => actor.getSnapshot().matches({ fetch: "loading" });

/** Walked on live actors by machine.test.ts; what a person sees of it: tests/components/session/access.test.ts. */
export const subscriptionWalk: Walk<SubscriptionRig> = {
  machine: subscriptionMachine,
  prepare,
  moves: [
    sent({ type: "fetch.requested" }, "somebody wants to know"),
    {
      name: "somebody wants to know a minute later",
      may: (rig) => !isLoading(rig),
      happen: ({ actor }, clock) => {
        clock.increment(minute);
        actor.send({ type: "fetch.requested" });
      },
    },
    sent({ type: "subscription.changed" }, "a checkout has ended"),
    sent({ type: "reset.requested" }, "the person leaves"),
    answered("there is one", asked, () => subscriptionWith("active")),
    answered("there is one that has ended", asked, () => subscriptionWith("canceled")),
    answered("there is none", asked, () => null),
    refused("it can't be had", asked, failure("network")),
  ],
  situation: (rig) => [context(rig).details?.status, context(rig).error, context(rig).fetchedAt !== null],
  rules: {
    "it is asked for once at a time": ({ fetchSubscription }) => fetchSubscription.open().length <= 1,
    "it is asked for exactly while nobody knows": (rig) => rig.fetchSubscription.open().length === (isLoading(rig) ? 1 : 0),
    "premium is who has an active subscription": (rig) =>
      selectIsPremium(rig.actor.getSnapshot()) === (context(rig).details?.status === "active"),
    "loading is what nobody knows yet": (rig) =>
      (selectSubscriptionStatus(rig.actor.getSnapshot()) === "loading") ===
      (context(rig).details === null && !selectIsSettled(rig.actor.getSnapshot())),
    "a failure has a reason": (rig) => !selectSubscriptionFailed(rig.actor.getSnapshot()) || context(rig).error !== null,
    "what failed is asked for again at once": (rig) =>
      !selectSubscriptionFailed(rig.actor.getSnapshot()) || context(rig).fetchedAt === null,
    "settled is what is not being asked": (rig) =>
      !selectIsSettled(rig.actor.getSnapshot()) || rig.fetchSubscription.open().length === 0,
  },
};
