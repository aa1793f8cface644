import { describe, expect, test } from "vitest";
import { createActor } from "xstate";
import type { CreatedSharedLink, NewSharedLink, SharedLink, SharedLinkChange } from "#contract/index.ts";
import type { SharingEmitted, SharingEvent } from "#machines/sharing/events.ts";
import {
  selectAsked,
  selectCreated,
  selectEdited,
  selectFailure,
  selectIsLoading,
  selectIsOpen,
  selectIsSaving,
  selectIsUnavailable,
  selectIsWriting,
  selectLinks,
  selectLoadError,
  selectRevocations,
  selectRevoking,
  sharingMachine,
} from "#machines/sharing/machine.ts";
import { flawOf } from "#machines/sharing/rules.ts";
import { answering, stopsAfterTest, talking } from "#tests/machines/harness.ts";

const now = Date.parse("2026-03-01T12:00:00.000Z");
const iso = (ms: number) => new Date(now + ms).toISOString();
const link = (id: string, parts: Partial<SharedLink> = {}): SharedLink => ({
  id,
  name: "",
  audio: false,
  translation: false,
  download: false,
  locked: false,
  createdAt: iso(0),
  expiresAt: null,
  ended: false,
  views: 0,
  ...parts,
});
const wanted: NewSharedLink = { name: "Anna", audio: true, passphrase: "seventeen green boats", expiresAt: iso(1000) };

function start() {
  const load = answering<readonly SharedLink[]>();
  const create = answering<CreatedSharedLink, NewSharedLink>();
  const save = answering<SharedLink, { id: string; change: SharedLinkChange }>();
  const revoke = answering<void, { id: string }>();
  const wakeUps = talking<SharingEvent, SharingEvent>();
  const machine = sharingMachine.provide({
    actors: { load: load.logic, create: create.logic, save: save.logic, revoke: revoke.logic, wakeUps: wakeUps.logic },
  });
  const actor = stopsAfterTest(createActor(machine, { input: { now: () => now } }));
  const emitted: SharingEmitted["type"][] = [];
  for (const type of ["link.changed", "link.revoked"] as const) actor.on(type, () => emitted.push(type));
  actor.start();
  const ids = () => selectLinks(actor.getSnapshot()).map(({ id }) => id);
  return { actor, load, create, save, revoke, wakeUps, emitted, ids, now: () => actor.getSnapshot() };
}

async function opened(...links: SharedLink[]) {
  const all = start();
  await all.load.last().resolve(links);
  return all;
}

describe("the links to a transcript", () => {
  test("are made from a form, whose address is shown until it is kept, and whose passphrase is not kept", async () => {
    const { actor, create, load, ids, now: snapshot } = await opened(link("old"));
    actor.send({ type: "new.requested" });
    expect([selectIsWriting(snapshot()), selectEdited(snapshot())]).toEqual([true, null]);
    actor.send({ type: "creation.requested", wanted: { ...wanted, expiresAt: iso(0) } });
    expect(selectFailure(snapshot())).toBe("pastEnd");
    actor.send({ type: "creation.requested", wanted: { ...wanted, passphrase: "short" } });
    expect([selectFailure(snapshot()), create.asked.length]).toEqual(["shortPassphrase", 0]);
    actor.send({ type: "creation.requested", wanted });
    expect([create.inputs(), selectFailure(snapshot())]).toEqual([[wanted], null]);
    await create.last().resolve({ ...link("new"), secret: "what opens it" });
    expect([selectCreated(snapshot())?.secret, ids()]).toEqual(["what opens it", ["new", "old"]]);
    expect(JSON.stringify(snapshot().context)).not.toContain("boats");
    actor.send({ type: "address.dismissed" });
    expect(JSON.stringify(snapshot().context)).not.toContain("what opens it");
    await load.last().resolve([link("new", { views: 1 })]);
    expect(selectLinks(snapshot())).toMatchObject([{ id: "new", views: 1 }]);
  });

  test("that can't be made leave the form open with the reason, until it is given up", async () => {
    const { actor, create, now: snapshot } = await opened();
    actor.send({ type: "new.requested" });
    actor.send({ type: "creation.requested", wanted });
    await create.last().reject("passwordCommon");
    expect([selectIsWriting(snapshot()), selectFailure(snapshot())]).toEqual([true, "passwordCommon"]);
    actor.send({ type: "form.dismissed" });
    expect([selectIsWriting(snapshot()), selectFailure(snapshot())]).toEqual([false, null]);
  });

  test("are changed in their form; one that was revoked elsewhere is seen to be gone", async () => {
    const { actor, save, load, emitted, ids, now: snapshot } = await opened(link("one"), link("two"));
    actor.send({ type: "editing.requested", id: "two" });
    expect(selectEdited(snapshot())?.id).toBe("two");
    actor.send({ type: "change.requested", change: { passphrase: "short" } });
    expect([selectFailure(snapshot()), save.asked.length]).toEqual(["shortPassphrase", 0]);
    actor.send({ type: "change.requested", change: { audio: true } });
    expect(save.inputs()).toEqual([{ id: "two", change: { audio: true } }]);
    await save.last().reject("network");
    expect([selectEdited(snapshot())?.id, selectFailure(snapshot())]).toEqual(["two", "network"]);
    actor.send({ type: "change.requested", change: { audio: true } });
    await save.last().resolve(link("two", { audio: true }));
    expect([selectLinks(snapshot())[1]?.audio, emitted, selectIsWriting(snapshot())]).toEqual([true, ["link.changed"], false]);
    actor.send({ type: "editing.requested", id: "one" });
    actor.send({ type: "change.requested", change: { name: "" } });
    await save.last().reject("notFound");
    expect(selectFailure(snapshot())).toBe("notFound");
    await load.last().resolve([link("two")]);
    expect(ids()).toEqual(["two"]);
  });

  test("are revoked after a yes", async () => {
    const { actor, revoke, load, emitted, ids, now: snapshot } = await opened(link("one"), link("two"));
    actor.send({ type: "revocation.requested", id: "one" });
    expect([selectAsked(snapshot())?.id, revoke.asked.length]).toEqual(["one", 0]);
    actor.send({ type: "revocation.dismissed" });
    actor.send({ type: "revocation.requested", id: "one" });
    actor.send({ type: "revocation.confirmed" });
    await revoke.last().resolve();
    expect([ids(), emitted]).toEqual([["two"], ["link.revoked"]]);
    actor.send({ type: "revocation.requested", id: "two" });
    actor.send({ type: "revocation.confirmed" });
    await revoke.last().reject("notFound");
    expect(selectFailure(snapshot())).toBe("notFound");
    await load.last().resolve([]);
    expect(ids()).toEqual([]);
  });

  test("are looked at again when the page is seen again, and loaded when the network is back; a server may have none", async () => {
    const { wakeUps, load, ids, now: snapshot } = start();
    await load.last().reject("network");
    expect(selectLoadError(snapshot())).toBe("network");
    wakeUps.say({ type: "page.resumed" });
    await load.last().resolve([link("one")]);
    wakeUps.say({ type: "page.resumed" });
    await load.last().reject("network");
    expect(ids()).toEqual(["one"]);
    const without = start();
    await without.load.last().reject("notOffered");
    expect(selectIsUnavailable(without.now())).toBe(true);
  });
});

test.each([
  [{}, null],
  [{ passphrase: null, expiresAt: null }, null],
  [{ passphrase: "seventeen green boats", expiresAt: iso(1) }, null],
  [{ expiresAt: iso(0) }, "pastEnd"],
  [{ passphrase: "seven" }, "shortPassphrase"],
  [{ passphrase: "x".repeat(257) }, "longPassphrase"],
  [{ passphrase: " ".repeat(9) }, "blankPassphrase"],
])("of a link that is to be %j it is wrong: %s", (sent, flaw) => {
  expect(flawOf(sent, now)).toBe(flaw);
});

test("what is under way with several links is seen, and how many were revoked", async () => {
  const { actor, create, save, revoke, ids, now: snapshot } = await opened(link("one"), link("two"), link("three"));
  const state = () => [
    selectIsLoading(snapshot()),
    selectIsOpen(snapshot()),
    selectIsWriting(snapshot()),
    selectIsSaving(snapshot()),
  ];
  expect([state(), selectRevocations(snapshot())]).toEqual([[false, true, false, false], 0]);
  actor.send({ type: "new.requested" });
  expect([state(), selectEdited(snapshot())]).toEqual([[false, true, true, false], null]);
  actor.send({ type: "creation.requested", wanted });
  expect(state()).toEqual([false, true, true, true]);
  await create.last().reject("tooManyAtOnce");
  expect([state(), selectFailure(snapshot())]).toEqual([[false, true, true, false], "tooManyAtOnce"]);
  actor.send({ type: "form.dismissed" });
  actor.send({ type: "editing.requested", id: "two" });
  expect([selectEdited(snapshot())?.id, state()]).toEqual(["two", [false, true, true, false]]);
  actor.send({ type: "change.requested", change: { name: "Bea" } });
  expect([save.inputs(), state()]).toEqual([[{ id: "two", change: { name: "Bea" } }], [false, true, true, true]]);
  await save.last().resolve(link("two", { name: "Bea" }));
  expect(selectLinks(snapshot()).map(({ name }) => name)).toEqual(["", "Bea", ""]);
  for (const [id, left] of [
    ["two", ["one", "three"]],
    ["one", ["three"]],
  ] as const) {
    actor.send({ type: "revocation.requested", id });
    expect([selectAsked(snapshot())?.id, selectRevoking(snapshot()), selectEdited(snapshot())]).toEqual([id, null, null]);
    actor.send({ type: "revocation.confirmed" });
    expect([selectAsked(snapshot()), selectRevoking(snapshot())]).toEqual([null, id]);
    await revoke.last().resolve();
    expect([ids(), selectRevoking(snapshot())]).toEqual([left, null]);
  }
  expect(selectRevocations(snapshot())).toBe(2);
});
