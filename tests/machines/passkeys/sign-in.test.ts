import { describe, expect, test } from "vitest";
import { createActor, SimulatedClock } from "xstate";
import type { UsedPasskey } from "#contract/index.ts";
import {
  type PasskeySignedIn,
  passkeySignInMachine,
  selectFailure,
  selectIsBusy,
  selectIsUnavailable,
} from "#machines/passkeys/sign-in.ts";
import { answering, stopsAfterTest } from "#tests/machines/harness.ts";
import { used } from "./passkeys.ts";

function start(hasField = true) {
  const clock = new SimulatedClock();
  const offer = answering<UsedPasskey>();
  const ask = answering<UsedPasskey>();
  const check = answering<PasskeySignedIn, { used: UsedPasskey | null }>();
  const begun: string[] = [];
  const machine = passkeySignInMachine.provide({
    actors: { offer: offer.logic, ask: ask.logic, check: check.logic },
    actions: { begin: (_, { accessToken }) => begun.push(accessToken) },
  });
  const actor = stopsAfterTest(createActor(machine, { clock, input: { hasField } })).start();
  return { actor, clock, offer, ask, check, begun, now: () => actor.getSnapshot() };
}

describe("sign-in with a passkey", () => {
  test("asks the device and then the server after the button, and forgets the signed answer", async () => {
    const { actor, ask, check, begun, now } = start(false);
    actor.send({ type: "passkey.requested" });
    expect(selectIsBusy(now())).toBe(true);
    await ask.last().reject("passkeyDismissed");
    expect([selectIsBusy(now()), selectFailure(now())]).toEqual([false, "passkeyDismissed"]);
    actor.send({ type: "passkey.requested" });
    expect(selectFailure(now())).toBeNull();
    await ask.last().resolve(used);
    expect(check.inputs()).toEqual([{ used }]);
    await check.last().reject("passkeyUnknown");
    expect([selectFailure(now()), now().context.used, begun]).toEqual(["passkeyUnknown", null, []]);
    actor.send({ type: "passkey.requested" });
    await ask.last().resolve(used);
    await check.last().resolve({ accessToken: "t" });
    expect([begun, now().status]).toEqual([["t"], "done"]);
  });

  test("offers passkeys in the field silently, renews the offer before it expires, and ends it with the button", async () => {
    const { actor, clock, offer, ask, check, begun } = start();
    expect(offer.asked.length).toBe(1);
    clock.increment(4 * 60_000 - 1);
    expect(offer.asked.length).toBe(1);
    clock.increment(1);
    expect(offer.asked.length).toBe(2);
    actor.send({ type: "passkey.requested" });
    await ask.last().reject("passkeyDismissed");
    // The passkey is offered again.
    expect(offer.asked.length).toBe(3);
    await offer.last().resolve(used);
    await check.last().resolve({ accessToken: "t" });
    expect(begun).toEqual(["t"]);
  });

  test("offers no passkeys in the field of a browser or page without it, but keeps the button", async () => {
    const { actor, offer, ask, now } = start();
    await offer.last().reject("internal");
    expect([selectFailure(now()), selectIsUnavailable(now())]).toEqual([null, false]);
    actor.send({ type: "passkey.requested" });
    expect(ask.asked.length).toBe(1);
    expect(start(false).offer.asked.length).toBe(0);
  });

  test("the sign-in with a passkey is unavailable when the server does not know passkeys", async () => {
    const silent = start();
    await silent.offer.last().reject("notOffered");
    expect(selectIsUnavailable(silent.now())).toBe(true);
    const { actor, ask, now } = start(false);
    actor.send({ type: "passkey.requested" });
    await ask.last().reject("notOffered");
    expect(selectIsUnavailable(now())).toBe(true);
  });
});
