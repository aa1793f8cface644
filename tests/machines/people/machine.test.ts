import { describe, expect, test } from "vitest";
import { createActor } from "xstate";
import type { NewPerson, SharedPerson } from "#contract/index.ts";
import type { Changing, Created, Drafted, Listed } from "#machines/collection/events.ts";
import { type LoadingEvent, selectHasFailed, selectIsLoading, selectIsOpen } from "#machines/collection/loading.ts";
import { selectAsked, selectBusy, selectIsCreating, selectItems } from "#machines/collection/selectors.ts";
import {
  type PeopleTypes,
  peopleMachine,
  selectChangeFailure,
  selectOfferFailure,
  selectOffers,
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
const draft: NewPerson = { email: "anna@example.org", role: "read" };

async function opened(...people: SharedPerson[]) {
  const load = answering<Listed<SharedPerson>>();
  const create = answering<Created<PeopleTypes>, Drafted<PeopleTypes>>();
  const change = answering<SharedPerson, Changing<PeopleTypes>>();
  const remove = answering<void, { id: string }>();
  const wakeUps = talking<LoadingEvent>();
  const machine = peopleMachine.provide({
    actors: {
      load: load.logic,
      create: create.logic,
      change: change.logic,
      remove: remove.logic,
      wakeUps: wakeUps.logic,
    },
  });
  const actor = stopsAfterTest(createActor(machine));
  const emitted: string[] = [];
  actor.on("*", ({ type }) => emitted.push(type));
  actor.start();
  const ids = () => selectItems(actor.getSnapshot()).map(({ id }) => id);
  await load.last().resolve({ items: people });
  return { actor, load, create, change, remove, wakeUps, emitted, ids, now: () => actor.getSnapshot() };
}

describe("people with access", () => {
  test("adds an invited person, and shows why an invitation was refused until the next step", async () => {
    const { actor, create, ids, emitted, now } = await opened(person("old"));
    actor.send({ type: "creation.submitted", draft });
    expect([create.inputs(), selectIsCreating(now())]).toEqual([[{ draft }], true]);
    await create.last().reject("conflict");
    const failures = () => [selectOfferFailure(now()), selectChangeFailure(now())];
    expect([selectIsCreating(now()), failures(), ids(), selectOffers(now())]).toEqual([false, ["conflict", null], ["old"], 0]);
    actor.send({ type: "removal.requested", id: "old" });
    expect(failures()).toEqual([null, null]);
    actor.send({ type: "removal.dismissed" });
    actor.send({ type: "creation.submitted", draft });
    await create.last().resolve({ item: person("anna", { accepted: false }), secret: null });
    expect([failures(), ids(), selectOffers(now()), emitted]).toEqual([[null, null], ["old", "anna"], 1, ["item.created"]]);
  });

  test("shows a changed role at once, and the server's role when the change is refused", async () => {
    const { actor, change, load, emitted, now } = await opened(person("anna"));
    actor.send({ type: "change.requested", id: "anna", change: { role: "correct" } });
    expect([change.inputs(), selectBusy(now())]).toEqual([[{ id: "anna", change: { role: "correct" } }], "anna"]);
    await change.last().resolve(person("anna", { role: "correct" }));
    expect([selectItems(now())[0]?.role, emitted]).toEqual(["correct", ["item.changed"]]);
    actor.send({ type: "change.requested", id: "anna", change: { role: "read" } });
    await change.last().reject("notFound");
    await load.last().resolve({ items: [] });
    expect([selectItems(now()), selectChangeFailure(now())]).toEqual([[], "notFound"]);
  });

  test("removes a person only after confirmation", async () => {
    const { actor, remove, ids, emitted, now } = await opened(person("anna"), person("bea"));
    actor.send({ type: "removal.requested", id: "anna" });
    expect([selectAsked(now())?.id, remove.asked.length]).toEqual(["anna", 0]);
    actor.send({ type: "removal.dismissed" });
    actor.send({ type: "removal.requested", id: "anna" });
    actor.send({ type: "removal.confirmed" });
    await remove.last().reject("network");
    expect([ids(), selectChangeFailure(now())]).toEqual([["anna", "bea"], "network"]);
    actor.send({ type: "removal.requested", id: "anna" });
    actor.send({ type: "removal.confirmed" });
    await remove.last().resolve(undefined);
    expect([ids(), emitted]).toEqual([["bea"], ["item.removed"]]);
  });

  test("reloads the people when the page is back, and keeps them without an answer", async () => {
    const { load, wakeUps, ids, now } = await opened(person("anna"));
    wakeUps.say({ type: "page.resumed" });
    await load.last().reject("network");
    expect([ids(), selectHasFailed(now())]).toEqual([["anna"], false]);
    wakeUps.say({ type: "page.resumed" });
    await load.last().resolve({ items: [] });
    expect(ids()).toEqual([]);
  });
});

describe("several people with access", () => {
  test("changes each person separately and shows which change is in progress", async () => {
    const { actor, change, load, now } = await opened(person("one"), person("two"), person("three"));
    const seen = () => [selectIsCreating(now()), selectAsked(now())?.id, selectBusy(now())];
    expect([selectIsLoading(now()), selectIsOpen(now()), seen()]).toEqual([false, true, [false, undefined, null]]);
    actor.send({ type: "change.requested", id: "two", change: { role: "correct" } });
    expect([seen(), change.inputs()]).toEqual([[false, undefined, "two"], [{ id: "two", change: { role: "correct" } }]]);
    await change.last().resolve(person("two", { role: "correct" }));
    expect([selectItems(now()).map(({ role }) => role), seen()]).toEqual([
      ["read", "correct", "read"],
      [false, undefined, null],
    ]);
    actor.send({ type: "change.requested", id: "one", change: { role: "correct" } });
    await change.last().reject("network");
    expect([load.asked.length, selectChangeFailure(now())]).toEqual([2, "network"]);
    actor.send({ type: "change.requested", id: "one", change: { role: "correct" } });
    expect(selectChangeFailure(now())).toBeNull();
    await change.last().reject("notFound");
    expect([load.asked.length, selectChangeFailure(now())]).toEqual([3, "notFound"]);
  });

  test("removes each person separately after confirmation", async () => {
    const { actor, remove, load, ids, emitted, now } = await opened(person("one"), person("two"), person("three"));
    for (const [id, left] of [
      ["two", ["one", "three"]],
      ["one", ["three"]],
    ] as const) {
      actor.send({ type: "removal.requested", id });
      expect([selectAsked(now())?.id, selectBusy(now())]).toEqual([id, null]);
      actor.send({ type: "removal.confirmed" });
      expect([selectAsked(now()), selectBusy(now())]).toEqual([null, id]);
      await remove.last().resolve();
      expect([ids(), selectBusy(now())]).toEqual([left, null]);
    }
    expect(emitted).toEqual(["item.removed", "item.removed"]);
    actor.send({ type: "removal.requested", id: "three" });
    actor.send({ type: "removal.confirmed" });
    await remove.last().reject("network");
    expect([load.asked.length, selectChangeFailure(now()), ids()]).toEqual([2, "network", ["three"]]);
    actor.send({ type: "removal.requested", id: "three" });
    actor.send({ type: "removal.confirmed" });
    await remove.last().reject("notFound");
    expect([load.asked.length, selectChangeFailure(now())]).toEqual([3, "notFound"]);
  });
});
