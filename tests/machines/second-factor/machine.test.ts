import { describe, expect, test } from "vitest";
import { createActor } from "xstate";
import type { SecondFactor, SecondFactorSecret } from "#contract/index.ts";
import { type LoadingEvent, selectFailure, selectHasFailed, selectIsUnavailable } from "#machines/collection/loading.ts";
import type { SecondFactorEmitted, SecondFactorWish } from "#machines/second-factor/events.ts";
import {
  secondFactorMachine,
  selectCodes,
  selectIsBusy,
  selectIsProving,
  selectOffer,
  selectStatus,
  selectWish,
} from "#machines/second-factor/machine.ts";
import { answering, stopsAfterTest, talking } from "#tests/machines/harness.ts";

const at = "2026-03-01T12:00:00.000Z";
const off: SecondFactor = { enabledAt: null, recoveryCodesLeft: 0, required: false };
const on: SecondFactor = { enabledAt: at, recoveryCodesLeft: 10, required: false };
const secret: SecondFactorSecret = { secret: "SECRET", uri: "otpauth://totp/x?secret=SECRET" };

function start() {
  const load = answering<SecondFactor>();
  const offer = answering<SecondFactorSecret, { password: string }>();
  const confirm = answering<readonly string[], { proof: string }>();
  const change = answering<readonly string[], { wish: SecondFactorWish; password: string; proof: string }>();
  const wakeUps = talking<LoadingEvent>();
  const machine = secondFactorMachine.provide({
    actors: {
      load: load.logic,
      offer: offer.logic,
      confirm: confirm.logic,
      change: change.logic,
      wakeUps: wakeUps.logic,
    },
  });
  const actor = stopsAfterTest(createActor(machine, { input: { now: () => Date.parse(at) } }));
  const emitted: SecondFactorEmitted[] = [];
  actor.on("secondFactor.changed", (event) => emitted.push(event));
  actor.start();
  return { actor, load, offer, confirm, change, wakeUps, emitted, now: () => actor.getSnapshot() };
}

async function opened(status: SecondFactor) {
  const all = start();
  await all.load.last().resolve(status);
  return all;
}

describe("second factor", () => {
  test("turns the second factor on by password and first code, and forgets secret and codes once dismissed", async () => {
    const { actor, offer, confirm, load, emitted, now } = await opened(off);
    actor.send({ type: "setUp.requested" });
    expect([selectIsProving(now()), selectStatus(now())]).toEqual([true, null]);
    actor.send({ type: "password.submitted", password: "wrong horse" });
    await offer.last().reject("wrongPassword");
    expect([selectIsProving(now()), selectFailure(now())]).toEqual([true, "wrongPassword"]);
    actor.send({ type: "password.submitted", password: "correct horse" });
    await offer.last().resolve(secret);
    expect([selectOffer(now()), selectFailure(now())]).toEqual([secret, null]);
    expect(JSON.stringify(now().context)).not.toContain("correct horse");
    actor.send({ type: "code.submitted", proof: " " });
    expect([selectFailure(now()), confirm.asked.length]).toEqual(["noCode", 0]);
    actor.send({ type: "code.submitted", proof: "000000" });
    await confirm.last().reject("wrongCode");
    expect([selectOffer(now()), selectFailure(now()), emitted.length]).toEqual([secret, "wrongCode", 0]);
    actor.send({ type: "code.submitted", proof: "123 456" });
    await confirm.last().resolve(["one", "two"]);
    expect([selectCodes(now()), emitted]).toEqual([["one", "two"], [{ type: "secondFactor.changed", isOn: true }]]);
    expect(JSON.stringify(now().context)).not.toContain("SECRET");
    actor.send({ type: "secret.dismissed" });
    expect(selectStatus(now())).toEqual({ ...on, recoveryCodesLeft: 2 });
    expect(JSON.stringify(now().context)).not.toContain("two");
    await load.last().resolve(on);
    expect(selectStatus(now())).toEqual(on);
  });

  test("creates new codes and turns off, each by password and code", async () => {
    const { actor, change, load, emitted, now } = await opened(on);
    actor.send({ type: "change.requested", wish: "newCodes" });
    expect(selectWish(now())).toBe("newCodes");
    actor.send({ type: "change.submitted", password: "p", proof: "" });
    expect([selectFailure(now()), change.asked.length]).toEqual(["noCode", 0]);
    actor.send({ type: "change.submitted", password: "p", proof: "1" });
    await change.last().resolve(["three"]);
    expect(selectCodes(now())).toEqual(["three"]);
    actor.send({ type: "secret.dismissed" });
    await load.last().resolve({ ...on, recoveryCodesLeft: 1 });
    actor.send({ type: "change.requested", wish: "off" });
    actor.send({ type: "change.submitted", password: "p", proof: "2" });
    expect(change.inputs().at(-1)).toEqual({ wish: "off", password: "p", proof: "2" });
    await change.last().resolve([]);
    expect(selectStatus(now())).toEqual(off);
    expect(emitted.map(({ isOn }) => isOn)).toEqual([true, false]);
  });

  test("shows the current state when it was changed elsewhere", async () => {
    const { actor, offer, load, now } = await opened(off);
    actor.send({ type: "setUp.requested" });
    actor.send({ type: "password.submitted", password: "p" });
    await offer.last().reject("conflict");
    await load.last().resolve(on);
    expect([selectStatus(now()), selectFailure(now())]).toEqual([on, "conflict"]);
  });

  test("the second factor can be given up at any time before it is on", async () => {
    const { actor, offer, now } = await opened(off);
    actor.send({ type: "setUp.requested" });
    actor.send({ type: "form.dismissed" });
    actor.send({ type: "setUp.requested" });
    actor.send({ type: "password.submitted", password: "p" });
    await offer.last().resolve(secret);
    actor.send({ type: "form.dismissed" });
    expect([selectOffer(now()), selectStatus(now())]).toEqual([null, off]);
  });

  test("shows nothing when the server has no second factor, and retries loading when the network is back", async () => {
    const without = start();
    await without.load.last().reject("notOffered");
    expect(selectIsUnavailable(without.now())).toBe(true);
    const later = start();
    await later.load.last().reject("network");
    expect(selectHasFailed(later.now())).toBe(true);
    later.wakeUps.say({ type: "page.resumed" });
    await later.load.last().resolve(off);
    expect(selectStatus(later.now())).toEqual(off);
  });
});

test("shows at each step that typed values are being sent", async () => {
  const { actor, offer, confirm, change, now } = await opened(off);
  const seen = () => [selectIsProving(now()), selectIsBusy(now()), selectStatus(now()) !== null];
  expect(seen()).toEqual([false, false, true]);
  actor.send({ type: "setUp.requested" });
  expect(seen()).toEqual([true, false, false]);
  actor.send({ type: "password.submitted", password: "correct horse" });
  expect([seen(), offer.last().input]).toMatchObject([[true, true, false], { password: "correct horse" }]);
  await offer.last().resolve(secret);
  expect(seen()).toEqual([false, false, false]);
  actor.send({ type: "code.submitted", proof: "123456" });
  expect(seen()).toEqual([false, true, false]);
  await confirm.last().resolve(["one"]);
  expect(seen()).toEqual([false, false, false]);
  actor.send({ type: "secret.dismissed" });
  actor.send({ type: "change.requested", wish: "off" });
  expect([seen(), selectWish(now())]).toEqual([[false, false, false], "off"]);
  actor.send({ type: "change.submitted", password: "correct horse", proof: "123456" });
  expect(seen()).toEqual([false, true, false]);
  await change.last().reject("wrongCode");
  expect([seen(), selectFailure(now())]).toEqual([[false, false, false], "wrongCode"]);
});
