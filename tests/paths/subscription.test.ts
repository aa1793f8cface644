import { createActor } from "xstate";
import { type SubscriptionEvent, selectIsPremium, selectIsSettled, subscriptionMachine } from "../../machines/subscription.ts";
import type { Subscription } from "../../src/api/contract/index.ts";
import { answered, failure, refused } from "./harness-moves.ts";
import type { Stage } from "./harness-stage.ts";
import { type Move, type RunOptions, walkTests } from "./harness-walk.ts";

const minute = 60_000;
const subscription = (status: Subscription["status"]): Subscription => ({
  ...{ id: "s1", status, plan: "premium", interval: "month" },
  ...{ currentPeriodEnd: null, cancelAtPeriodEnd: false },
});

function prepare(stage: Stage) {
  const fetchSubscription = stage.asking<Subscription | null>();
  const machine = subscriptionMachine.provide({ actors: { fetchSubscription: fetchSubscription.logic } });
  return ({ clock, inspect }: RunOptions) => ({ actor: createActor(machine, { clock, inspect }), fetchSubscription });
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const context = ({ actor }: Rig) => actor.getSnapshot().context;
const asked = ({ fetchSubscription }: Rig) => fetchSubscription;

/** Somebody wants to know, so long after the last time (ms). */
const told = (name: string, type: SubscriptionEvent["type"], later: number): Move<Rig> => ({
  name,
  may: (rig) => rig.actor.getSnapshot().can({ type, now: (context(rig).fetchedAt ?? 0) + later }),
  happen: (rig) => rig.actor.send({ type, now: (context(rig).fetchedAt ?? 0) + later }),
});

walkTests<Rig>({
  machine: subscriptionMachine,
  prepare,
  moves: [
    told("somebody wants to know", "fetch.requested", 1),
    told("somebody wants to know a minute later", "fetch.requested", minute),
    told("a checkout has ended", "changed", 1),
    answered("there is one", asked, () => subscription("active")),
    answered("there is one that has ended", asked, () => subscription("canceled")),
    answered("there is none", asked, () => null),
    refused("it can't be had", asked, failure("network")),
  ],
  situation: (rig) => [context(rig).details?.status, context(rig).error, context(rig).fetchedAt !== null],
  rules: {
    "it is asked for once at a time": ({ fetchSubscription }) => fetchSubscription.open().length <= 1,
    "it is asked for exactly while nobody knows": (rig) =>
      rig.fetchSubscription.open().length === (rig.actor.getSnapshot().matches("loading") ? 1 : 0),
    "premium is who has an active subscription": (rig) =>
      selectIsPremium(rig.actor.getSnapshot()) === (context(rig).details?.status === "active"),
    "a failure has a reason": (rig) => !rig.actor.getSnapshot().matches("failed") || context(rig).error !== null,
    "what failed is asked for again at once": (rig) =>
      !rig.actor.getSnapshot().matches("failed") || context(rig).fetchedAt === null,
    "settled is what is not being asked": (rig) =>
      !selectIsSettled(rig.actor.getSnapshot()) || rig.fetchSubscription.open().length === 0,
  },
});
