import { describe, expect, test } from "vitest";
import { createActor } from "xstate";
import type { MadePasskey, Passkey, PasskeyCreation } from "#contract/index.ts";
import type { Created, Listed } from "#machines/collection/events.ts";
import {
  type LoadingEvent,
  selectFailure,
  selectHasFailed,
  selectIsLoading,
  selectIsOpen,
  selectIsUnavailable,
} from "#machines/collection/loading.ts";
import { selectChanging, selectIsWriting, selectItems, selectReturns } from "#machines/collection/selectors.ts";
import type { PasskeyTypes, PasskeyWish } from "#machines/passkeys/events.ts";
import { passkeysMachine, selectIsBusy, selectIsMaking, selectIsUnkept, selectWish } from "#machines/passkeys/machine.ts";
import { answering, stopsAfterTest, talking } from "#tests/machines/harness.ts";
import { made, offer, passkey } from "./passkeys.ts";

type Change = { wish: PasskeyWish; id: string; name: string; password: string };

function start() {
  const load = answering<Listed<Passkey>>();
  const offering = answering<PasskeyCreation, { password: string }>();
  const making = answering<MadePasskey, PasskeyCreation>();
  const keeping = answering<Created<PasskeyTypes>, { name: string; made: MadePasskey }>();
  const change = answering<void, Change>();
  const wakeUps = talking<LoadingEvent>();
  const machine = passkeysMachine.provide({
    actors: {
      load: load.logic,
      offer: offering.logic,
      make: making.logic,
      keep: keeping.logic,
      apply: change.logic,
      wakeUps: wakeUps.logic,
    },
  });
  const actor = stopsAfterTest(createActor(machine));
  const emitted: string[] = [];
  actor.on("*", ({ type }) => emitted.push(type));
  actor.start();
  const names = () => selectItems(actor.getSnapshot()).map(({ name }) => name);
  return { actor, load, offering, making, keeping, change, wakeUps, emitted, names, now: () => actor.getSnapshot() };
}

async function opened(...ids: string[]) {
  const all = start();
  await all.load.last().resolve({ items: ids.map(passkey) });
  return all;
}
const submitted = { type: "creation.submitted", draft: { name: " Phone ", password: "correct horse" } } as const;

describe("passkeys", () => {
  test("creates a passkey on the device after the password, and forgets the password once sent", async () => {
    const { actor, offering, making, keeping, load, emitted, names, now } = await opened("old");
    actor.send({ type: "creation.requested" });
    actor.send({ ...submitted, draft: { name: " ", password: "" } });
    expect([selectFailure(now()), offering.asked.length]).toEqual(["noName", 0]);
    actor.send(submitted);
    await offering.last().reject("wrongPassword");
    expect([selectIsWriting(now()), selectFailure(now())]).toEqual([true, "wrongPassword"]);
    actor.send(submitted);
    await offering.last().resolve(offer);
    expect([selectIsMaking(now()), making.inputs()]).toEqual([true, [offer]]);
    expect(JSON.stringify(now().context)).not.toContain("correct horse");
    await making.last().resolve(made);
    expect(keeping.inputs()).toEqual([{ name: "Phone", made }]);
    await keeping.last().resolve({ item: passkey("Phone"), secret: null });
    expect([names(), emitted, selectIsWriting(now())]).toEqual([["old", "Phone"], ["item.created"], false]);
    await load.last().resolve({ items: [passkey("Phone")] });
    expect([names(), now().context.made]).toEqual([["Phone"], null]);
  });

  test("sends a passkey again after a network failure instead of creating it again", async () => {
    const { actor, offering, making, keeping, now } = await opened();
    actor.send({ type: "creation.requested" });
    actor.send(submitted);
    await offering.last().resolve(offer);
    await making.last().resolve(made);
    await keeping.last().reject("network");
    expect([selectIsUnkept(now()), selectFailure(now())]).toEqual([true, "network"]);
    actor.send({ ...submitted, draft: { name: "Tablet", password: "" } });
    expect([making.asked.length, keeping.inputs().at(-1)]).toEqual([1, { name: "Tablet", made }]);
    await keeping.last().reject("passkeyExpired");
    expect([selectIsUnkept(now()), selectIsWriting(now()), selectFailure(now())]).toEqual([false, true, "passkeyExpired"]);
  });

  test("creates no passkey when the person cancels on the page or the device", async () => {
    const { actor, offering, making, keeping, now } = await opened();
    actor.send({ type: "creation.requested" });
    actor.send(submitted);
    await offering.last().resolve(offer);
    await making.last().reject("passkeyDismissed");
    expect([selectIsWriting(now()), selectFailure(now())]).toEqual([true, "passkeyDismissed"]);
    actor.send(submitted);
    await offering.last().resolve(offer);
    actor.send({ type: "creation.dismissed" });
    expect([selectIsWriting(now()), selectFailure(now()), keeping.asked.length]).toEqual([false, null, 0]);
  });

  test("renames a passkey, removes one with the password, and notices one that was removed elsewhere", async () => {
    const { actor, change, load, emitted, names, now } = await opened("one", "two");
    actor.send({ type: "change.requested", wish: "rename", id: "one" });
    expect([selectWish(now(), "one"), selectWish(now(), "two")]).toEqual(["rename", null]);
    actor.send({ type: "change.submitted", draft: { name: "", password: "" } });
    expect([selectFailure(now()), change.asked.length]).toEqual(["noName", 0]);
    actor.send({ type: "change.submitted", draft: { name: "uno", password: "" } });
    await change.last().resolve();
    expect([names(), emitted]).toEqual([["uno", "two"], ["item.changed"]]);
    actor.send({ type: "change.requested", wish: "remove", id: "one" });
    actor.send({ type: "change.submitted", draft: { name: "", password: "correct horse" } });
    await change.last().reject("wrongPassword");
    expect([selectFailure(now()), JSON.stringify(now().context).includes("correct horse")]).toEqual(["wrongPassword", false]);
    actor.send({ type: "change.submitted", draft: { name: "", password: "correct horse" } });
    await change.last().resolve();
    expect([names(), emitted]).toEqual([["two"], ["item.changed", "item.removed"]]);
    actor.send({ type: "change.requested", wish: "remove", id: "two" });
    actor.send({ type: "change.submitted", draft: { name: "", password: "correct horse" } });
    await change.last().reject("notFound");
    expect([selectFailure(now()), selectChanging(now())]).toEqual(["notFound", null]);
    await load.last().resolve({ items: [] });
    expect(names()).toEqual([]);
  });

  test("reloads passkeys when the page is seen again, and shows none if the server has none", async () => {
    const { wakeUps, load, names } = await opened("one");
    wakeUps.say({ type: "page.resumed" });
    await load.last().reject("network");
    wakeUps.say({ type: "page.resumed" });
    await load.last().resolve({ items: [passkey("two")] });
    expect(names()).toEqual(["two"]);
    const without = start();
    await without.load.last().reject("notOffered");
    expect(selectIsUnavailable(without.now())).toBe(true);
    const later = start();
    await later.load.last().reject("network");
    expect(selectHasFailed(later.now())).toBe(true);
    later.actor.send({ type: "reload.requested" });
    await later.load.last().resolve({ items: [passkey("one")] });
    expect(later.names()).toEqual(["one"]);
  });
});

test("renames and removes only the chosen passkey, and counts removals", async () => {
  const { actor, change, names, now } = await opened("one", "two", "three");
  expect([selectIsLoading(now()), selectIsOpen(now()), selectIsBusy(now()), selectReturns(now())]).toEqual([
    false,
    true,
    false,
    0,
  ]);
  actor.send({ type: "change.requested", wish: "rename", id: "two" });
  actor.send({ type: "change.submitted", draft: { name: " dos ", password: "" } });
  expect([selectIsBusy(now()), change.inputs()]).toMatchObject([true, [{ id: "two" }]]);
  await change.last().resolve();
  expect([names(), selectChanging(now()), selectIsBusy(now()), selectReturns(now())]).toEqual([
    ["one", "dos", "three"],
    null,
    false,
    0,
  ]);
  for (const [id, left] of [
    ["two", ["one", "three"]],
    ["one", ["three"]],
  ] as const) {
    actor.send({ type: "change.requested", wish: "remove", id });
    actor.send({ type: "change.submitted", draft: { name: "", password: "correct horse" } });
    await change.last().resolve();
    expect(names()).toEqual(left);
  }
  expect(selectReturns(now())).toBe(2);
});
