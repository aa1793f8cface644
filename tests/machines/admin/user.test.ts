import { describe, expect, test } from "vitest";
import { createActor } from "xstate";
import type { AdminUser } from "#contract/index.ts";
import {
  actionsFor,
  adminUserMachine,
  dayOf,
  selectAskedChange,
  selectProblem,
  type UserAction,
  type UserChange,
} from "#machines/admin/user.ts";
import { answering, stopsAfterTest } from "#tests/machines/harness.ts";
import { person, subscribed } from "./harness.ts";

test("a day is written with its year, month and day, in this device's time zone", () => {
  expect([dayOf(new Date(2026, 0, 2, 23, 59)), dayOf(new Date(2026, 11, 31))]).toEqual(["2026-01-02", "2026-12-31"]);
});

describe("what can be done", () => {
  const money = (user: AdminUser) => actionsFor(user)[0];

  test("about a payment that never began is to give premium", () => {
    expect(money(subscribed({ provider: "test", status: "incomplete_expired", premium: false }))).toBe("grantPremium");
    expect(money(subscribed({ provider: "test", status: "incomplete", premium: false }))).toBe("cancelSubscription");
  });

  test("about devices is to sign out those that this is not", () => {
    const signIn = { id: "s", device: null, createdAt: "2026-03-01T10:00:00.000Z", seenAt: null };
    const signsOut = (...current: boolean[]) =>
      actionsFor(person({ signIns: current.map((is) => ({ ...signIn, current: is })) })).includes("signOut");
    expect([signsOut(), signsOut(true), signsOut(true, false)]).toEqual([false, false, true]);
  });
});

describe("a change", () => {
  async function asked(action: UserAction, until: string, reason: string) {
    const fetchUser = answering<AdminUser, { id: string }>();
    const changeUser = answering<AdminUser | null, { id: string; change: UserChange | null }>();
    const machine = adminUserMachine.provide({ actors: { fetchUser: fetchUser.logic, changeUser: changeUser.logic } });
    const actor = stopsAfterTest(
      createActor(machine, { input: { id: "u1", now: () => Date.parse("2026-03-01T12:00") } }).start(),
    );
    await fetchUser.last().resolve(person());
    actor.send({ type: "action.chosen", action });
    actor.send({ type: "change.requested", until, reason });
    return [selectProblem(actor.getSnapshot()), selectAskedChange(actor.getSnapshot())?.reason ?? null];
  }

  test.each([
    ["grantPremium", "2026-03-02", "why", null, "why"],
    ["changeGrant", "2026-03-01", "why", "until", null],
    ["endGrant", "", "why", null, "why"],
    ["signOut", "", "wh ", "reason", null],
    ["signOut", "", " why ", null, "why"],
  ] as const)("%s until %j because %j: %s", async (action, until, reason, problem, kept) => {
    expect(await asked(action, until, reason)).toEqual([problem, kept]);
  });
});
