import { describe, expect, test } from "vitest";
import { createActor } from "xstate";
import type { Invoice } from "#contract/index.ts";
import {
  type BillingInterval,
  billingMachine,
  type CheckoutCall,
  selectBillingFailure,
  selectBillingHistory,
  selectHistoryFailed,
  selectHistoryIsOffered,
  selectInterval,
  selectIsCancelling,
  selectIsConfirming,
  selectIsOpeningPortal,
  selectIsStartingCheckout,
} from "#machines/subscription/billing.ts";
import { checkoutPath, intervalIn, wantedInterval } from "#machines/subscription/rules.ts";
import { answering, stopsAfterTest } from "#tests/machines/harness.ts";

const invoice: Invoice = { id: "1", date: "2026-03-01T00:00:00.000Z", amount: 900, currency: "EUR", status: "paid", url: null };

function setUp(input: { call: CheckoutCall; interval?: BillingInterval; isWanted?: boolean } = { call: "account" }) {
  const calls = {
    fetchHistory: answering<readonly Invoice[]>(),
    checkPlan: answering<{ premium: boolean }>(),
    startCheckout: answering<string, { interval: BillingInterval; call: CheckoutCall }>(),
    openPortal: answering<string>(),
    cancel: answering<void>(),
    leave: answering<void, { url: string }>(),
  };
  const { fetchHistory, checkPlan, startCheckout, openPortal, cancel, leave } = calls;
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
  const actor = stopsAfterTest(createActor(machine, { input }));
  const emitted: string[] = [];
  actor.on("subscription.cancelled", ({ type }) => emitted.push(type));
  actor.start();
  const get = <T>(select: (snapshot: ReturnType<typeof actor.getSnapshot>) => T) => select(actor.getSnapshot());
  return {
    ...calls,
    emitted,
    get,
    send: actor.send.bind(actor),
    /** The running operation: a checkout, the portal, the confirmation of a cancellation, a cancellation. */
    doing: () => [get(selectIsStartingCheckout), get(selectIsOpeningPortal), get(selectIsConfirming), get(selectIsCancelling)],
  };
}

const idle = [false, false, false, false];
const telling = (key: string) => Object.assign(new Error("no"), { key });

describe("billing history", () => {
  test("loads the history for the account, and again when the plan may have changed", async () => {
    const { fetchHistory, get, send } = setUp();
    expect([get(selectBillingHistory), fetchHistory.asked.length]).toEqual([null, 1]);
    await fetchHistory.last().resolve([invoice]);
    expect([get(selectBillingHistory), get(selectHistoryFailed), get(selectHistoryIsOffered)]).toEqual([[invoice], false, true]);
    send({ type: "history.requested" });
    expect(fetchHistory.asked).toHaveLength(1);
    send({ type: "subscription.changed" });
    expect([fetchHistory.asked.length, get(selectBillingHistory)]).toEqual([2, [invoice]]);
  });

  test("fetches a failed history again on request or after a change", async () => {
    const { fetchHistory, get, send } = setUp();
    await fetchHistory.last().reject("network");
    expect([get(selectHistoryFailed), get(selectHistoryIsOffered)]).toEqual([true, true]);
    send({ type: "history.requested" });
    await fetchHistory.last().reject("network");
    send({ type: "subscription.changed" });
    expect([fetchHistory.asked.length, get(selectHistoryFailed)]).toEqual([3, false]);
  });

  test("does not retry a history that the server does not offer, and loads none where a plan is bought", async () => {
    const { fetchHistory, get, send } = setUp();
    await fetchHistory.last().reject("notOffered");
    send({ type: "history.requested" });
    send({ type: "subscription.changed" });
    expect([fetchHistory.asked.length, get(selectHistoryIsOffered), get(selectHistoryFailed)]).toEqual([1, false, false]);
    const plan = setUp({ call: "plan" });
    expect([plan.fetchHistory.asked.length, plan.get(selectHistoryIsOffered)]).toEqual([0, true]);
  });
});

describe("checkout", () => {
  test("starts a checkout for a year unless a month is chosen, and goes to the server's address", async () => {
    const { startCheckout, leave, get, send, doing } = setUp();
    expect([get(selectInterval), doing()]).toEqual(["year", idle]);
    send({ type: "interval.chosen", interval: "month" });
    send({ type: "checkout.requested" });
    send({ type: "portal.requested" });
    expect([startCheckout.inputs(), doing()]).toEqual([[{ interval: "month", call: "account" }], [true, false, false, false]]);
    await startCheckout.last().resolve("https://pay.example");
    expect([leave.inputs(), doing()]).toEqual([[{ url: "https://pay.example" }], [true, false, false, false]]);
    await leave.last().resolve();
    expect([doing(), get(selectBillingFailure)]).toEqual([idle, null]);
  });

  test("shows why a checkout could not start until the next try", async () => {
    const { startCheckout, leave, get, send, doing } = setUp();
    send({ type: "checkout.requested" });
    await startCheckout.last().rejectWith(telling("subscription:away"));
    expect([get(selectBillingFailure), doing()]).toEqual(["subscription:away", idle]);
    send({ type: "checkout.requested" });
    expect(get(selectBillingFailure)).toBeNull();
    await startCheckout.last().resolve("https://pay.example");
    await leave.last().rejectWith({ key: "no error" });
    expect([get(selectBillingFailure), doing()]).toEqual(["subscription:checkoutFailed", idle]);
  });

  test("starts a checkout that was chosen before only for a person without a plan", async () => {
    const buyer = setUp({ call: "plan", interval: "month", isWanted: true });
    expect([buyer.doing(), buyer.startCheckout.asked.length]).toEqual([[true, false, false, false], 0]);
    await buyer.checkPlan.last().resolve({ premium: false });
    expect(buyer.startCheckout.inputs()).toEqual([{ interval: "month", call: "plan" }]);
    for (const answer of ["premium", "unknown"]) {
      const { checkPlan, startCheckout, doing } = setUp({ call: "plan", isWanted: true });
      if (answer === "premium") await checkPlan.last().resolve({ premium: true });
      else await checkPlan.last().reject("network");
      expect([doing(), startCheckout.asked.length]).toEqual([idle, 0]);
    }
    expect(setUp({ call: "plan" }).checkPlan.asked).toHaveLength(0);
  });
});

test("opens the payment details on the provider's site, and shows a failure until the next try", async () => {
  const { openPortal, leave, get, send, doing } = setUp();
  send({ type: "portal.requested" });
  expect(doing()).toEqual([false, true, false, false]);
  await openPortal.last().reject("network");
  expect([get(selectBillingFailure), doing()]).toEqual(["subscription:portalFailed", idle]);
  send({ type: "portal.requested" });
  expect(get(selectBillingFailure)).toBeNull();
  await openPortal.last().resolve("https://portal.example");
  expect(leave.inputs()).toEqual([{ url: "https://portal.example" }]);
});

test("asks before a cancellation, and shows a failure until the next try", async () => {
  const { cancel, get, send, doing, emitted } = setUp();
  send({ type: "cancel.requested" });
  expect(doing()).toEqual([false, false, true, false]);
  send({ type: "cancel.dismissed" });
  expect([doing(), cancel.asked.length]).toEqual([idle, 0]);
  send({ type: "cancel.requested" });
  send({ type: "cancel.confirmed" });
  expect(doing()).toEqual([false, false, false, true]);
  await cancel.last().reject("network");
  expect([get(selectBillingFailure), doing(), emitted]).toEqual(["subscription:cancelFailed", idle, []]);
  send({ type: "cancel.requested" });
  expect(get(selectBillingFailure)).toBeNull();
  send({ type: "cancel.confirmed" });
  await cancel.last().resolve();
  expect([doing(), emitted]).toEqual([idle, ["subscription.cancelled"]]);
});

test("reads only a premium plan by month or year from an address", () => {
  expect([intervalIn({ interval: "year" }), intervalIn({ interval: "month" })]).toEqual(["year", "month"]);
  expect([intervalIn({ interval: "week" }), intervalIn({})]).toEqual([undefined, undefined]);
  expect(wantedInterval({ plan: "premium", interval: "month" })).toBe("month");
  expect([wantedInterval({ plan: "free", interval: "month" }), wantedInterval({ plan: "premium" })]).toEqual([
    undefined,
    undefined,
  ]);
  expect(checkoutPath("year")).toBe("/subscription?plan=premium&interval=year");
});
