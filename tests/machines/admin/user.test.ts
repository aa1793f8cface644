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

test("formats a day with year, month and day in this device's time zone", () => {
  expect([dayOf(new Date(2026, 0, 2, 23, 59)), dayOf(new Date(2026, 11, 31))]).toEqual(["2026-01-02", "2026-12-31"]);
});

describe("available actions on a user", () => {
  const money = (user: AdminUser) => actionsFor(user)[0];

  test("offers to grant premium when a payment never began", () => {
    expect(money(subscribed({ provider: "test", status: "incomplete_expired", premium: false }))).toBe("grantPremium");
    expect(money(subscribed({ provider: "test", status: "incomplete", premium: false }))).toBe("cancelSubscription");
  });

  test("offers to sign out other devices only if there are any", () => {
    const signIn = { id: "s", device: null, createdAt: "2026-03-01T10:00:00.000Z", seenAt: null };
    const signsOut = (...current: boolean[]) =>
      actionsFor(person({ signIns: current.map((is) => ({ ...signIn, current: is })) })).includes("signOut");
    expect([signsOut(), signsOut(true), signsOut(true, false)]).toEqual([false, false, true]);
  });
});

describe("change of a user", () => {
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
  ] as const)("checks the change %s until %j because %j: %s", async (action, until, reason, problem, kept) => {
    expect(await asked(action, until, reason)).toEqual([problem, kept]);
  });
});
