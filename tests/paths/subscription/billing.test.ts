import { createActor } from "xstate";
import type { Invoice } from "#contract/index.ts";
import { type BillingInterval, billingMachine, type CheckoutCall, selectBillingHistory } from "#machines/subscription/billing.ts";
import { answered, failure, refused, sent } from "#tests/paths/harness-moves.ts";
import type { Stage } from "#tests/paths/harness-stage.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const there = "https://pay.example/1";
const invoices: readonly Invoice[] = [
  { id: "i1", date: "2026-03-01T00:00:00Z", amount: 1200, currency: "EUR", status: "paid", url: null },
];
const noUrl = Object.assign(new Error("no url"), { key: "subscription:noCheckoutUrl" });

const chosenBefore = "the subscription page, for a plan that was chosen before";

function prepare(stage: Stage) {
  const fetchHistory = stage.asking<readonly Invoice[]>();
  const checkPlan = stage.asking<{ premium: boolean }>();
  const startCheckout = stage.asking<string, { interval: BillingInterval; call: CheckoutCall }>();
  const openPortal = stage.asking<string>();
  const cancel = stage.asking<void>();
  const leave = stage.asking<void, { url: string }>();
  const asked = { fetchHistory, checkPlan, startCheckout, openPortal, cancel, leave };
  const machine = billingMachine.provide({
    actors: {
      fetchHistory: fetchHistory.logic,
      checkPlan: checkPlan.logic,
      startCheckout: startCheckout.logic,
      openPortal: openPortal.logic,
      cancel: cancel.logic,
      leave: leave.logic,
    },
  });
  return ({ start, clock, inspect }: RunOptions) => {
    const call = start === "a checkout is tried again" ? "plan" : "account";
    const actor = createActor(machine, { clock, inspect, input: { call, isWanted: start === chosenBefore } });
    let cancelled = 0;
    actor.on("subscription.cancelled", () => {
      cancelled += 1;
    });
    return { actor, ...asked, cancelled: () => cancelled };
  };
}
type Rig = ReturnType<ReturnType<typeof prepare>>;

const context = ({ actor }: Rig) => actor.getSnapshot().context;
const payingCalls = ({ checkPlan, startCheckout, openPortal, cancel, leave }: Rig) => [
  checkPlan,
  startCheckout,
  openPortal,
  cancel,
  leave,
];
const open = (rig: Rig) => payingCalls(rig).reduce((sum, { open: calls }) => sum + calls().length, 0);

walkTests<Rig>({
  machine: billingMachine,
  prepare,
  starts: ["the subscription page", "a checkout is tried again", chosenBefore],
  moves: [
    sent({ type: "interval.chosen", interval: "month" }),
    sent({ type: "checkout.requested" }),
    sent({ type: "portal.requested" }),
    sent({ type: "cancel.requested" }),
    sent({ type: "cancel.confirmed" }),
    sent({ type: "cancel.dismissed" }),
    sent({ type: "history.requested" }),
    sent({ type: "subscription.changed" }),
    answered(
      "the invoices come",
      ({ fetchHistory }: Rig) => fetchHistory,
      () => invoices,
    ),
    refused("the invoices don't come", ({ fetchHistory }: Rig) => fetchHistory, failure("network")),
    refused("the server has no invoices", ({ fetchHistory }: Rig) => fetchHistory, failure("notOffered")),
    answered(
      "there is a subscription already",
      ({ checkPlan }: Rig) => checkPlan,
      () => ({ premium: true }),
    ),
    answered(
      "there is no subscription",
      ({ checkPlan }: Rig) => checkPlan,
      () => ({ premium: false }),
    ),
    refused("nobody knows of a subscription", ({ checkPlan }: Rig) => checkPlan, failure("network")),
    answered(
      "there is a checkout",
      ({ startCheckout }: Rig) => startCheckout,
      () => there,
    ),
    refused("there is none", ({ startCheckout }: Rig) => startCheckout, noUrl),
    answered(
      "there is a portal",
      ({ openPortal }: Rig) => openPortal,
      () => there,
    ),
    refused("there is no portal", ({ openPortal }: Rig) => openPortal, failure("network")),
    answered(
      "it is cancelled",
      ({ cancel }: Rig) => cancel,
      () => undefined,
    ),
    refused("it is not cancelled", ({ cancel }: Rig) => cancel, failure("network")),
    answered(
      "the page stays after all",
      ({ leave }: Rig) => leave,
      () => undefined,
    ),
    refused("there is no way there", ({ leave }: Rig) => leave, failure("network")),
  ],
  situation: (rig) => [context(rig).interval, context(rig).failure, context(rig).invoices, rig.cancelled() > 0],
  rules: {
    "only what was chosen before is looked at before it is bought": (rig) =>
      rig.checkPlan.times() === (context(rig).isWanted ? 1 : 0),
    "one thing about money at a time": (rig) => open(rig) <= 1,
    "nothing is cancelled without being asked once more": (rig) =>
      rig.cancel.open().length === 0 || rig.actor.getSnapshot().matches({ paying: "cancelling" }),
    "what is cancelled is emitted": (rig) => rig.cancelled() === 0 || rig.cancel.times() > 0,
    "one leaves for the address that was answered": (rig) => rig.leave.open().every(({ input }) => input?.url === there),
    "a failure is not said while it is tried again": (rig) => open(rig) === 0 || context(rig).failure === null,
    "where a checkout is tried again nobody asks what was paid": (rig) =>
      context(rig).call === "account" || rig.fetchHistory.times() === 0,
    "the invoices are those that were loaded last": (rig) =>
      [null, invoices].includes(selectBillingHistory(rig.actor.getSnapshot())),
    "the checkout is for the chosen interval": (rig) =>
      rig.startCheckout.open().every(({ input }) => input?.call === context(rig).call),
  },
});
