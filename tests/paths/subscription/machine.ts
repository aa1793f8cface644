import { createActor } from "xstate";
import type { Invoice, Subscription, Usage } from "#contract/index.ts";
import {
  type SubscriptionEvent,
  selectBillingHistory,
  selectIsPremium,
  selectIsSettled,
  selectMinutesLeft,
  subscriptionMachine,
} from "#machines/subscription/machine.ts";
import { answered, failure, refused, sent } from "#tests/paths/harness-moves.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
import type { Move, RunOptions, Walk } from "#tests/paths/harness-walk.ts";

const minute = 60_000;
export const subscriptionWith = (status: Subscription["status"]): Subscription => ({
  id: "s1",
  status,
  plan: "premium",
  interval: "month",
  currentPeriodEnd: null,
  cancelAtPeriodEnd: false,
});

export const loadedUsage: Usage = { usedTranslationMinutes: 9, limitMinutes: 10, resetsAt: "2026-04-01T00:00:00Z" };

/** Where whoever walks it in a browser is: before a paid page, on the page about the subscription, or anywhere else. */
type Place = "gate" | "subscription" | "elsewhere";

const loadedInvoices: readonly Invoice[] = [
  { id: "i1", date: "2026-03-01T00:00:00Z", amount: 1200, currency: "EUR", status: "paid", url: null },
];

function prepare(stage: Stage) {
  const fetchSubscription = stage.asking<Subscription | null>();
  const machine = subscriptionMachine.provide({ actors: { fetchSubscription: fetchSubscription.logic } });
  return ({ clock, inspect }: RunOptions) => {
    const at: { place: Place } = { place: "elsewhere" };
    return { actor: createActor(machine, { clock, inspect }), fetchSubscription, at };
  };
}
export type SubscriptionRig = ReturnType<ReturnType<typeof prepare>>;

const context = ({ actor }: SubscriptionRig) => actor.getSnapshot().context;
const asked = ({ fetchSubscription }: SubscriptionRig) => fetchSubscription;

/** Somebody wants to know, so long after the last time (ms). */
const ask = (
  name: string,
  type: Exclude<SubscriptionEvent["type"], "usage.loaded" | "history.loaded" | "reset.requested">,
  later: number,
): Move<SubscriptionRig> => ({
  name,
  may: (rig) => rig.actor.getSnapshot().can({ type, now: (context(rig).fetchedAt ?? 0) + later }),
  happen: (rig) => rig.actor.send({ type, now: (context(rig).fetchedAt ?? 0) + later }),
});

/** Walked on live actors by subscription.test.ts, and in a real browser by tests/browser/subscription/paths.test.ts. */
export const subscriptionWalk: Walk<SubscriptionRig> = {
  machine: subscriptionMachine,
  prepare,
  moves: [
    sent({ type: "history.loaded", invoices: loadedInvoices }, "the invoices are loaded"),
    ask("somebody wants to know", "fetch.requested", 1),
    ask("somebody wants to know a minute later", "fetch.requested", minute),
    ask("a checkout has ended", "subscription.changed", 1),
    sent({ type: "reset.requested" }, "the person leaves"),
    sent({ type: "usage.loaded", usage: loadedUsage }, "the minutes are loaded"),
    answered("there is one", asked, () => subscriptionWith("active")),
    answered("there is one that has ended", asked, () => subscriptionWith("canceled")),
    answered("there is none", asked, () => null),
    refused("it can't be had", asked, failure("network")),
  ],
  situation: (rig) => [
    context(rig).details?.status,
    context(rig).error,
    context(rig).fetchedAt !== null,
    context(rig).usageData,
    context(rig).billingHistory,
  ],
  rules: {
    "the invoices are those that were loaded last": (rig) =>
      [null, loadedInvoices].includes(selectBillingHistory(rig.actor.getSnapshot())),
    "the minutes are those that were loaded last": (rig) => [null, 1].includes(selectMinutesLeft(rig.actor.getSnapshot())),
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
};
