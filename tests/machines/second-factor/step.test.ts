import { describe, expect, test } from "vitest";
import { createActor } from "xstate";
import type { PendingSignIn } from "#contract/index.ts";
import {
  type SteppedIn,
  secondStepMachine,
  selectEmail,
  selectFailure,
  selectHasFailed,
  selectIsChecking,
  selectIsOver,
  selectKind,
} from "#machines/second-factor/step.ts";
import { answering, stopsAfterTest } from "#tests/machines/harness.ts";

function start() {
  const load = answering<PendingSignIn>();
  const check = answering<SteppedIn, { proof: string }>();
  const begun: string[] = [];
  const machine = secondStepMachine.provide({
    actors: { load: load.logic, check: check.logic },
    actions: { begin: (_, { accessToken }) => begun.push(accessToken) },
  });
  const actor = stopsAfterTest(createActor(machine)).start();
  return { actor, load, check, begun, now: () => actor.getSnapshot() };
}

async function asked() {
  const all = start();
  await all.load.last().resolve({ email: "a@example.org" });
  return all;
}

describe("second step of signing in", () => {
  test("signs in with the right code and stores no code", async () => {
    const { actor, check, begun, now } = await asked();
    expect(selectEmail(now())).toBe("a@example.org");
    actor.send({ type: "code.submitted", proof: "" });
    expect([selectFailure(now()), check.asked.length]).toEqual(["noCode", 0]);
    actor.send({ type: "code.submitted", proof: "111111" });
    expect(selectIsChecking(now())).toBe(true);
    await check.last().reject("wrongCode");
    expect([selectFailure(now()), begun]).toEqual(["wrongCode", []]);
    expect(JSON.stringify(now().context)).not.toContain("111111");
    actor.send({ type: "code.submitted", proof: "222222" });
    await check.last().resolve({ accessToken: "t" });
    expect([begun, now().status]).toEqual([["t"], "done"]);
  });

  test("accepts a recovery code instead of the app's, and clears the earlier error", async () => {
    const { actor, check, now } = await asked();
    actor.send({ type: "code.submitted", proof: "111111" });
    await check.last().reject("wrongCode");
    actor.send({ type: "kind.changed", kind: "recovery" });
    expect([selectKind(now()), selectFailure(now())]).toEqual(["recovery", null]);
  });

  test("ends when no sign-in waits in this browser or too many codes were wrong", async () => {
    const none = start();
    await none.load.last().reject("gone");
    expect(selectIsOver(none.now())).toBe(true);
    const { actor, check, now } = await asked();
    actor.send({ type: "code.submitted", proof: "111111" });
    await check.last().reject("gone");
    expect(selectIsOver(now())).toBe(true);
  });

  test("retries when the server did not answer, without losing the code", async () => {
    const { actor, load, now } = start();
    await load.last().reject("network");
    expect(selectHasFailed(now())).toBe(true);
    actor.send({ type: "reload.requested" });
    await load.last().resolve({ email: "a@example.org" });
    expect([selectEmail(now()), selectFailure(now())]).toEqual(["a@example.org", null]);
  });
});

test("shows the account only while its code is requested or checked, and rejects a blank code", async () => {
  const { actor, load, check, now } = start();
  expect([selectEmail(now()), selectHasFailed(now())]).toEqual([null, false]);
  await load.last().reject("network");
  expect([selectHasFailed(now()), selectFailure(now()), selectEmail(now())]).toEqual([true, "network", null]);
  actor.send({ type: "reload.requested" });
  expect(selectFailure(now())).toBeNull();
  await load.last().resolve({ email: "a@example.org" });
  actor.send({ type: "code.submitted", proof: "  " });
  expect([selectFailure(now()), check.asked.length]).toEqual(["noCode", 0]);
  actor.send({ type: "code.submitted", proof: "123456" });
  expect([selectIsChecking(now()), selectEmail(now())]).toEqual([true, "a@example.org"]);
  await check.last().reject("gone");
  expect([selectIsOver(now()), selectEmail(now())]).toEqual([true, null]);
});
