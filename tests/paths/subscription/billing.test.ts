import { createActor } from "xstate";
import type { Invoice } from "#contract/index.ts";
import { type BillingInterval, billingMachine, type CheckoutCall, selectBillingHistory } from "#machines/subscription/billing.ts";
import { answered, failure, refused, sent } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const there = "https://pay.example/1";
const invoices: readonly Invoice[] = [
  { id: "i1", date: "2026-03-01T00:00:00Z", amount: 1200, currency: "EUR", status: "paid", url: null },
];
const noUrl = Object.assign(new Error("no url"), { key: "subscription:noCheckoutUrl" });

const chosenBefore = "the subscription page, for a plan that was chosen before";

function prepare(stubs: Stubs) {
  const fetchHistory = stubs.asking<readonly Invoice[]>();
  const checkPlan = stubs.asking<{ premium: boolean }>();
  const startCheckout = stubs.asking<string, { interval: BillingInterval; call: CheckoutCall }>();
  const openPortal = stubs.asking<string>();
  const cancel = stubs.asking<void>();
  const leave = stubs.asking<void, { url: string }>();
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
type Harness = ReturnType<ReturnType<typeof prepare>>;

const context = ({ actor }: Harness) => actor.getSnapshot().context;
const payingCalls = ({ checkPlan, startCheckout, openPortal, cancel, leave }: Harness) => [
  checkPlan,
  startCheckout,
  openPortal,
  cancel,
  leave,
];
const open = (harness: Harness) => payingCalls(harness).reduce((sum, { open: calls }) => sum + calls().length, 0);

walkTests<Harness>({
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
      ({ fetchHistory }: Harness) => fetchHistory,
      () => invoices,
    ),
    refused("the invoices don't come", ({ fetchHistory }: Harness) => fetchHistory, failure("network")),
    refused("the server has no invoices", ({ fetchHistory }: Harness) => fetchHistory, failure("notOffered")),
    answered(
      "there is a subscription already",
      ({ checkPlan }: Harness) => checkPlan,
      () => ({ premium: true }),
    ),
    answered(
      "there is no subscription",
      ({ checkPlan }: Harness) => checkPlan,
      () => ({ premium: false }),
    ),
    refused("nobody knows of a subscription", ({ checkPlan }: Harness) => checkPlan, failure("network")),
    answered(
      "there is a checkout",
      ({ startCheckout }: Harness) => startCheckout,
      () => there,
    ),
    refused("there is none", ({ startCheckout }: Harness) => startCheckout, noUrl),
    answered(
      "there is a portal",
      ({ openPortal }: Harness) => openPortal,
      () => there,
    ),
    refused("there is no portal", ({ openPortal }: Harness) => openPortal, failure("network")),
    answered(
      "it is cancelled",
      ({ cancel }: Harness) => cancel,
      () => undefined,
    ),
    refused("it is not cancelled", ({ cancel }: Harness) => cancel, failure("network")),
    answered(
      "the page stays after all",
      ({ leave }: Harness) => leave,
      () => undefined,
    ),
    refused("there is no way there", ({ leave }: Harness) => leave, failure("network")),
  ],
  situation: (harness) => [
    context(harness).interval,
    context(harness).failure,
    context(harness).invoices,
    harness.cancelled() > 0,
  ],
  rules: {
    "only what was chosen before is looked at before it is bought": (harness) =>
      harness.checkPlan.times() === (context(harness).isWanted ? 1 : 0),
    "one thing about money at a time": (harness) => open(harness) <= 1,
    "nothing is cancelled without being asked once more": (harness) =>
      harness.cancel.open().length === 0 || harness.actor.getSnapshot().matches({ paying: "cancelling" }),
    "what is cancelled is emitted": (harness) => harness.cancelled() === 0 || harness.cancel.times() > 0,
    "one leaves for the address that was answered": (harness) => harness.leave.open().every(({ input }) => input?.url === there),
    "a failure is not said while it is tried again": (harness) => open(harness) === 0 || context(harness).failure === null,
    "where a checkout is tried again nobody asks what was paid": (harness) =>
      context(harness).call === "account" || harness.fetchHistory.times() === 0,
    "the invoices are those that were loaded last": (harness) =>
      [null, invoices].includes(selectBillingHistory(harness.actor.getSnapshot())),
    "the checkout is for the chosen interval": (harness) =>
      harness.startCheckout.open().every(({ input }) => input?.call === context(harness).call),
  },
});
