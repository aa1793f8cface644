import { describe, expect, it } from "vitest";
import { createActor, fromPromise } from "xstate";
import type { Subscription } from "#contract/index.ts";
import {
  isPremiumStatus,
  selectDetails,
  selectIsPremium,
  selectIsSettled,
  selectSubscriptionFailed,
  selectSubscriptionStatus,
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
  let time = 0;
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
  const actor = createActor(machine, { input: { now: () => time } }).start();
  const at = (now: number, type: "fetch.requested" | "subscription.changed") => {
    time = now;
    actor.send({ type });
  };
  const settled = () => expect.poll(() => selectIsSettled(actor.getSnapshot())).toBe(true);
  return { actor, at, settled, asked: () => asked };
}

// SPEC 4 Logout: "resets the user and subscription state"
it("shows the next person nothing of the previous one, and drops a request in flight", async () => {
  const { actor, at, settled } = subscriber(withStatus("active"), withStatus("active"));
  at(0, "fetch.requested");
  await settled();
  at(1, "subscription.changed");
  actor.send({ type: "reset.requested" });
  await new Promise((resolve) => setImmediate(resolve));
  expect(actor.getSnapshot().value).toEqual({ status: "loading", fetch: "idle" });
  expect(selectIsPremium(actor.getSnapshot())).toBe(false);
  expect(selectDetails(actor.getSnapshot())).toBeNull();
});

describe("subscription", () => {
  // SPEC 5: "The other gated pages need status active or trialing."
  // SPEC 4 Subscription: "active or trialing means premium. Anything else means free."
  it.each([
    ["active", "premium"],
    ["trialing", "premium"],
    ["past_due", "free"],
    ["canceled", "free"],
    ["free", "free"],
  ])("treats the subscription status %s as %s", async (status, expected) => {
    const { actor, at, settled } = subscriber(withStatus(status));
    expect(selectSubscriptionStatus(actor.getSnapshot())).toBe("loading");
    at(0, "fetch.requested");
    expect(selectSubscriptionStatus(actor.getSnapshot())).toBe("loading");
    await settled();
    expect(selectSubscriptionStatus(actor.getSnapshot())).toBe(expected);
    expect(selectIsPremium(actor.getSnapshot())).toBe(expected === "premium");
  });

  // SPEC 4 Subscription: "A 404 on fetching the subscription means free."
  it("treats a missing subscription (404) as free", async () => {
    const { actor, at, settled } = subscriber(null);
    at(0, "fetch.requested");
    await settled();
    expect(selectSubscriptionStatus(actor.getSnapshot())).toBe("free");
  });

  it("fetches the subscription again a minute after the last request", async () => {
    const { actor, at, settled, asked } = subscriber(withStatus("active"), withStatus("active"));
    at(5, "fetch.requested");
    await settled();
    at(60_004, "fetch.requested");
    expect(asked()).toBe(1);
    at(60_005, "fetch.requested");
    expect([asked(), selectIsSettled(actor.getSnapshot()), selectIsPremium(actor.getSnapshot())]).toEqual([2, false, true]);
    await settled();
    expect(selectDetails(actor.getSnapshot())).toEqual(withStatus("active"));
  });

  it("treats a failed subscription as free, with the reason, and one that ended as free during a refetch", async () => {
    const { actor, at, settled } = subscriber(
      Object.assign(new Error("away"), { code: "network" }),
      withStatus("canceled"),
      withStatus("canceled"),
    );
    at(0, "fetch.requested");
    await settled();
    expect([selectSubscriptionStatus(actor.getSnapshot()), selectDetails(actor.getSnapshot())]).toEqual(["free", null]);
    expect(actor.getSnapshot().context.error).toBe("network");
    at(1, "subscription.changed");
    await settled();
    expect([actor.getSnapshot().context.error, selectSubscriptionFailed(actor.getSnapshot())]).toEqual([null, false]);
    at(2, "subscription.changed");
    expect(selectSubscriptionStatus(actor.getSnapshot())).toBe("free");
  });

  // SPEC 4 Subscription: "After cancellation, the subscription is refetched."
  it("fetches at most once a minute, but at once after a failure or a change", async () => {
    const { actor, at, settled, asked } = subscriber(new Error("away"), withStatus("active"), withStatus("canceled"));
    at(0, "fetch.requested");
    await settled();
    expect(selectSubscriptionFailed(actor.getSnapshot())).toBe(true);
    at(1, "fetch.requested");
    await settled();
    expect(selectIsPremium(actor.getSnapshot())).toBe(true);
    at(60_000, "fetch.requested");
    expect(asked()).toBe(2);
    at(60_001, "subscription.changed");
    await settled();
    expect(selectIsPremium(actor.getSnapshot())).toBe(false);
    at(120_001, "fetch.requested");
    expect(asked()).toBe(4);
  });

  // SPEC 4 Subscription: "Fetch statuses: idle, loading, succeeded, failed."
  it("keeps the known status during a refetch and after its failure", async () => {
    const { actor, at, settled } = subscriber(withStatus("active"), new Error("away"));
    at(0, "fetch.requested");
    await settled();
    at(1, "subscription.changed");
    expect(actor.getSnapshot().value).toEqual({ status: "premium", fetch: "loading" });
    await settled();
    expect(actor.getSnapshot().value).toEqual({ status: "premium", fetch: "failed" });
  });

  // SPEC 4 Subscription: "Fetch statuses: idle, loading, succeeded, failed."
  it("treats a missing subscription as unknown during a refetch, because the person may have paid", async () => {
    const { actor, at, settled } = subscriber(null, withStatus("active"));
    at(0, "fetch.requested");
    await settled();
    expect(actor.getSnapshot().value).toEqual({ status: "free", fetch: "succeeded" });
    at(1, "subscription.changed");
    expect(actor.getSnapshot().value).toEqual({ status: "loading", fetch: "loading" });
    await settled();
    expect(actor.getSnapshot().value).toEqual({ status: "premium", fetch: "succeeded" });
  });
});

it("counts only paid and trial subscriptions as premium", () => {
  expect(["active", "trialing", "past_due", "", undefined].map(isPremiumStatus)).toEqual([true, true, false, false, false]);
});
