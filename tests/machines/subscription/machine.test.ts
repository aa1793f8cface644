import { describe, expect, it } from "vitest";
import { createActor, fromPromise } from "xstate";
import type { Subscription } from "#contract/index.ts";
import {
  selectIsAtLimit,
  selectIsPremium,
  selectIsSettled,
  selectMinutesLeft,
  selectSubscriptionFailed,
  selectSubscriptionStatus,
  selectUsage,
  subscriptionMachine,
} from "#machines/subscription/machine.ts";

const withStatus = (status: string): Subscription => ({
  id: "1",
  status,
  plan: "premium",
  interval: "month",
  currentPeriodEnd: null,
  cancelAtPeriodEnd: false,
});

function subscriber(...answers: (Subscription | null | Error)[]) {
  let asked = 0;
  const machine = subscriptionMachine.provide({
    actors: {
      fetchSubscription: fromPromise(async () => {
        const answer = answers[asked] ?? null;
        asked += 1;
        if (answer instanceof Error) throw answer;
        return answer;
      }),
    },
  });
  const actor = createActor(machine).start();
  const settled = () => expect.poll(() => selectIsSettled(actor.getSnapshot())).toBe(true);
  return { actor, settled, asked: () => asked };
}

it("shows the next person nothing: what was known goes, and so does a question that is under way", async () => {
  const { actor, settled } = subscriber(withStatus("active"), withStatus("active"));
  actor.send({ type: "fetch.requested", now: 0 });
  await settled();
  actor.send({ type: "usage.loaded", usage: { usedTranslationMinutes: 9, limitMinutes: 10, resetsAt: "2026-04-01T00:00:00Z" } });
  actor.send({ type: "subscription.changed", now: 1 });
  actor.send({ type: "reset.requested" });
  await new Promise((resolve) => setImmediate(resolve));
  expect(actor.getSnapshot().value).toBe("idle");
  expect(selectIsPremium(actor.getSnapshot())).toBe(false);
  expect(selectUsage(actor.getSnapshot())).toBeNull();
});

describe("subscription", () => {
  it.each([
    ["active", "premium"],
    ["trialing", "premium"],
    ["past_due", "free"],
    ["canceled", "free"],
    ["free", "free"],
  ])("with the status %s is %s", async (status, expected) => {
    const { actor, settled } = subscriber(withStatus(status));
    expect(selectSubscriptionStatus(actor.getSnapshot())).toBe("loading");
    actor.send({ type: "fetch.requested", now: 0 });
    expect(selectSubscriptionStatus(actor.getSnapshot())).toBe("loading");
    await settled();
    expect(selectSubscriptionStatus(actor.getSnapshot())).toBe(expected);
    expect(selectIsPremium(actor.getSnapshot())).toBe(expected === "premium");
  });

  it("that is not there (404) is free", async () => {
    const { actor, settled } = subscriber(null);
    actor.send({ type: "fetch.requested", now: 0 });
    await settled();
    expect(selectSubscriptionStatus(actor.getSnapshot())).toBe("free");
  });

  it("is asked for once a minute at most; a failure, or a change, is asked about again at once", async () => {
    const { actor, settled, asked } = subscriber(new Error("away"), withStatus("active"), withStatus("canceled"));
    actor.send({ type: "fetch.requested", now: 0 });
    await settled();
    expect(selectSubscriptionFailed(actor.getSnapshot())).toBe(true);
    actor.send({ type: "fetch.requested", now: 1 });
    await settled();
    expect(selectIsPremium(actor.getSnapshot())).toBe(true);
    actor.send({ type: "fetch.requested", now: 60_000 });
    expect(asked()).toBe(2);
    actor.send({ type: "subscription.changed", now: 60_001 });
    await settled();
    expect(selectIsPremium(actor.getSnapshot())).toBe(false);
    actor.send({ type: "fetch.requested", now: 120_001 });
    expect(asked()).toBe(4);
  });

  it("has the month's minutes beside it, once they are loaded, whatever it is asked itself", async () => {
    const { actor, settled } = subscriber(new Error("away"));
    const resetsAt = "2026-04-01T00:00:00.000Z";
    const usage = { usedTranslationMinutes: 8.5, limitMinutes: 10, resetsAt };
    expect([selectUsage(actor.getSnapshot()), selectMinutesLeft(actor.getSnapshot())]).toEqual([null, null]);
    expect(selectIsAtLimit(actor.getSnapshot())).toBe(false);
    actor.send({ type: "usage.loaded", usage });
    expect(selectUsage(actor.getSnapshot())).toBe(usage);
    expect(selectMinutesLeft(actor.getSnapshot())).toBe(1.5);
    actor.send({ type: "fetch.requested", now: 0 });
    await settled();
    expect(selectUsage(actor.getSnapshot())).toBe(usage);
    actor.send({ type: "usage.loaded", usage: { ...usage, usedTranslationMinutes: 10 } });
    expect(selectIsAtLimit(actor.getSnapshot())).toBe(true);
    actor.send({ type: "usage.loaded", usage: { ...usage, usedTranslationMinutes: 30, limitMinutes: null } });
    expect([selectMinutesLeft(actor.getSnapshot()), selectIsAtLimit(actor.getSnapshot())]).toEqual([null, false]);
  });
});
