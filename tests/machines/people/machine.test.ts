import { describe, expect, test } from "vitest";
import { createActor } from "xstate";
import type { NewPerson, SharedPerson, ShareRole } from "#contract/index.ts";
import type { PeopleEmitted, PeopleEvent } from "#machines/people/events.ts";
import {
  peopleMachine,
  selectAsked,
  selectBusy,
  selectFailure,
  selectHasFailed,
  selectIsLoading,
  selectIsOffering,
  selectIsOpen,
  selectOfferFailure,
  selectOffers,
  selectPeople,
} from "#machines/people/machine.ts";
import { answering, stopsAfterTest, talking } from "#tests/machines/harness.ts";

const person = (id: string, parts: Partial<SharedPerson> = {}): SharedPerson => ({
  id,
  email: `${id}@example.org`,
  role: "read",
  accepted: true,
  createdAt: "2026-03-01T12:00:00.000Z",
  expiresAt: null,
  ...parts,
});
const wanted: NewPerson = { email: "anna@example.org", role: "read" };

async function opened(...people: SharedPerson[]) {
  const load = answering<readonly SharedPerson[]>();
  const offer = answering<SharedPerson, NewPerson>();
  const change = answering<SharedPerson, { id: string; role: ShareRole }>();
  const withdraw = answering<void, { id: string }>();
  const wakeUps = talking<PeopleEvent, PeopleEvent>();
  const machine = peopleMachine.provide({
    actors: {
      load: load.logic,
      offer: offer.logic,
      change: change.logic,
      withdraw: withdraw.logic,
      wakeUps: wakeUps.logic,
    },
  });
  const actor = stopsAfterTest(createActor(machine));
  const emitted: PeopleEmitted["type"][] = [];
  for (const type of ["transcript.offered", "role.changed", "share.withdrawn"] as const) actor.on(type, () => emitted.push(type));
  actor.start();
  const ids = () => selectPeople(actor.getSnapshot()).map(({ id }) => id);
  await load.last().resolve(people);
  return { actor, load, offer, change, withdraw, wakeUps, emitted, ids, now: () => actor.getSnapshot() };
}

describe("with whom a transcript is shared", () => {
  test("grows by an offer; why one is refused is said until the next step", async () => {
    const { actor, offer, ids, emitted, now } = await opened(person("old"));
    actor.send({ type: "offer.requested", wanted });
    expect([offer.inputs(), selectIsOffering(now())]).toEqual([[wanted], true]);
    await offer.last().reject("conflict");
    const failures = () => [selectOfferFailure(now()), selectFailure(now())];
    expect([selectIsOffering(now()), failures(), ids(), selectOffers(now())]).toEqual([false, ["conflict", null], ["old"], 0]);
    actor.send({ type: "withdrawal.requested", id: "old" });
    expect(failures()).toEqual([null, null]);
    actor.send({ type: "withdrawal.dismissed" });
    actor.send({ type: "offer.requested", wanted });
    await offer.last().resolve(person("anna", { accepted: false }));
    expect([failures(), ids(), selectOffers(now()), emitted]).toEqual([[null, null], ["old", "anna"], 1, ["transcript.offered"]]);
  });

  test("is changed at once, and as the server has it when that is refused", async () => {
    const { actor, change, load, emitted, now } = await opened(person("anna"));
    actor.send({ type: "role.chosen", id: "anna", role: "correct" });
    expect([change.inputs(), selectBusy(now())]).toEqual([[{ id: "anna", role: "correct" }], "anna"]);
    await change.last().resolve(person("anna", { role: "correct" }));
    expect([selectPeople(now())[0]?.role, emitted]).toEqual(["correct", ["role.changed"]]);
    actor.send({ type: "role.chosen", id: "anna", role: "read" });
    await change.last().reject("notFound");
    await load.last().resolve([]);
    expect([selectPeople(now()), selectFailure(now())]).toEqual([[], "notFound"]);
  });

  test("is taken away after a question alone", async () => {
    const { actor, withdraw, ids, emitted, now } = await opened(person("anna"), person("bea"));
    actor.send({ type: "withdrawal.requested", id: "anna" });
    expect([selectAsked(now())?.id, withdraw.asked.length]).toEqual(["anna", 0]);
    actor.send({ type: "withdrawal.dismissed" });
    actor.send({ type: "withdrawal.requested", id: "anna" });
    actor.send({ type: "withdrawal.confirmed" });
    await withdraw.last().reject("network");
    expect([ids(), selectFailure(now())]).toEqual([["anna", "bea"], "network"]);
    actor.send({ type: "withdrawal.requested", id: "anna" });
    actor.send({ type: "withdrawal.confirmed" });
    await withdraw.last().resolve(undefined);
    expect([ids(), emitted]).toEqual([["bea"], ["share.withdrawn"]]);
  });

  test("is asked again when the page is back, and stays as it is without an answer", async () => {
    const { load, wakeUps, ids, now } = await opened(person("anna"));
    wakeUps.say({ type: "page.resumed" });
    await load.last().reject("network");
    expect([ids(), selectHasFailed(now())]).toEqual([["anna"], false]);
    wakeUps.say({ type: "page.resumed" });
    await load.last().resolve([]);
    expect(ids()).toEqual([]);
  });
});

describe("several people", () => {
  test("change each by themselves, and what is under way is seen", async () => {
    const { actor, change, load, now } = await opened(person("one"), person("two"), person("three"));
    const seen = () => [selectIsOffering(now()), selectAsked(now())?.id, selectBusy(now())];
    expect([selectIsLoading(now()), selectIsOpen(now()), seen()]).toEqual([false, true, [false, undefined, null]]);
    actor.send({ type: "role.chosen", id: "two", role: "correct" });
    expect([seen(), change.inputs()]).toEqual([[false, undefined, "two"], [{ id: "two", role: "correct" }]]);
    await change.last().resolve(person("two", { role: "correct" }));
    expect([selectPeople(now()).map(({ role }) => role), seen()]).toEqual([
      ["read", "correct", "read"],
      [false, undefined, null],
    ]);
    actor.send({ type: "role.chosen", id: "one", role: "correct" });
    await change.last().reject("network");
    expect([load.asked.length, selectFailure(now())]).toEqual([1, "network"]);
    actor.send({ type: "role.chosen", id: "one", role: "correct" });
    expect(selectFailure(now())).toBeNull();
    await change.last().reject("notFound");
    expect([load.asked.length, selectFailure(now())]).toEqual([2, "notFound"]);
  });

  test("have it taken from them each by themselves, after a yes", async () => {
    const { actor, withdraw, load, ids, emitted, now } = await opened(person("one"), person("two"), person("three"));
    for (const [id, left] of [
      ["two", ["one", "three"]],
      ["one", ["three"]],
    ] as const) {
      actor.send({ type: "withdrawal.requested", id });
      expect([selectAsked(now())?.id, selectBusy(now())]).toEqual([id, null]);
      actor.send({ type: "withdrawal.confirmed" });
      expect([selectAsked(now()), selectBusy(now())]).toEqual([null, id]);
      await withdraw.last().resolve();
      expect([ids(), selectBusy(now())]).toEqual([left, null]);
    }
    expect(emitted).toEqual(["share.withdrawn", "share.withdrawn"]);
    actor.send({ type: "withdrawal.requested", id: "three" });
    actor.send({ type: "withdrawal.confirmed" });
    await withdraw.last().reject("network");
    expect([load.asked.length, selectFailure(now()), ids()]).toEqual([1, "network", ["three"]]);
    actor.send({ type: "withdrawal.requested", id: "three" });
    actor.send({ type: "withdrawal.confirmed" });
    await withdraw.last().reject("notFound");
    expect([load.asked.length, selectFailure(now())]).toEqual([2, "notFound"]);
  });
});
