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
import type { Stubs } from "#tests/paths/harness-stubs.ts";
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

/** The place of a browser that walks it: before a paid page, on the subscription page, or anywhere else. */
type Place = "gate" | "subscription" | "elsewhere";

function prepare(stubs: Stubs) {
  const fetchSubscription = stubs.asking<Subscription | null>();
  const machine = subscriptionMachine.provide({ actors: { fetchSubscription: fetchSubscription.logic } });
  return ({ clock, inspect }: RunOptions) => {
    const at: { place: Place } = { place: "elsewhere" };
    const actor = createActor(machine, { clock, inspect, input: { now: () => clock.now() } });
    return { actor, fetchSubscription, at };
  };
}
export type SubscriptionHarness = ReturnType<ReturnType<typeof prepare>>;

const context = ({ actor }: SubscriptionHarness) => actor.getSnapshot().context;
const asked = ({ fetchSubscription }: SubscriptionHarness) => fetchSubscription;

const isLoading = ({ actor }: SubscriptionHarness) => actor.getSnapshot().matches({ fetch: "loading" });

/** machine.test.ts walks it on live actors; tests/components/session/access.test.ts shows the user's view. */
export const subscriptionWalk: Walk<SubscriptionHarness> = {
  machine: subscriptionMachine,
  prepare,
  moves: [
    sent({ type: "fetch.requested" }, "somebody wants to know"),
    {
      name: "somebody wants to know a minute later",
      may: (harness) => !isLoading(harness),
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
  situation: (harness) => [context(harness).details?.status, context(harness).error, context(harness).fetchedAt !== null],
  rules: {
    "it is asked for once at a time": ({ fetchSubscription }) => fetchSubscription.open().length <= 1,
    "it is asked for exactly while nobody knows": (harness) =>
      harness.fetchSubscription.open().length === (isLoading(harness) ? 1 : 0),
    "premium is who has an active subscription": (harness) =>
      selectIsPremium(harness.actor.getSnapshot()) === (context(harness).details?.status === "active"),
    "loading is what nobody knows yet": (harness) =>
      (selectSubscriptionStatus(harness.actor.getSnapshot()) === "loading") ===
      (context(harness).details === null && !selectIsSettled(harness.actor.getSnapshot())),
    "a failure has a reason": (harness) =>
      !selectSubscriptionFailed(harness.actor.getSnapshot()) || context(harness).error !== null,
    "what failed is asked for again at once": (harness) =>
      !selectSubscriptionFailed(harness.actor.getSnapshot()) || context(harness).fetchedAt === null,
    "settled is what is not being asked": (harness) =>
      !selectIsSettled(harness.actor.getSnapshot()) || harness.fetchSubscription.open().length === 0,
  },
};
