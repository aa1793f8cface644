import { describe, expect, test } from "vitest";
import { createActor } from "xstate";
import type { SharedLink } from "#contract/index.ts";
import type { Listed } from "#machines/collection/events.ts";
import {
  type LoadingEvent,
  selectFailure,
  selectHasFailed,
  selectIsLoading,
  selectIsOpen,
  selectIsUnavailable,
} from "#machines/collection/loading.ts";
import { selectItems } from "#machines/collection/selectors.ts";
import type { SharingEmitted, SharingOutcome, SharingRequest } from "#machines/sharing/events.ts";
import {
  selectDraft,
  selectFailureOf,
  selectIsAsking,
  selectIsDoing,
  selectIsOn,
  selectSaves,
  selectUncopied,
  sharingMachine,
} from "#machines/sharing/machine.ts";
import { draftOf, flawOf, mainLink } from "#machines/sharing/rules.ts";
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
  copyable: true,
  createdAt: iso(0),
  expiresAt: null,
  ended: false,
  views: 0,
  ...parts,
});
const draft = { audio: true, translation: false, download: false };

function start() {
  const load = answering<Listed<SharedLink>>();
  const perform = answering<SharingOutcome, SharingRequest>();
  const wakeUps = talking<LoadingEvent>();
  const machine = sharingMachine.provide({
    actors: { load: load.logic, perform: perform.logic, wakeUps: wakeUps.logic },
  });
  const actor = stopsAfterTest(createActor(machine, { input: { now: () => now } }));
  const emitted: SharingEmitted["type"][] = [];
  for (const type of ["link.copied", "details.saved", "link.revoked"] as const) actor.on(type, () => emitted.push(type));
  actor.start();
  const ids = () => selectItems(actor.getSnapshot()).map(({ id }) => id);
  return { actor, load, perform, wakeUps, emitted, ids, now: () => actor.getSnapshot() };
}

async function opened(...links: SharedLink[]) {
  const all = start();
  await all.load.last().resolve({ items: links });
  return all;
}

describe("links to a transcript", () => {
  test("creates and copies a new link in one step, ignores a second click, and resets the choices", async () => {
    const { actor, perform, emitted, ids, now: snapshot } = await opened();
    actor.send({ type: "draft.changed", change: { download: true } });
    actor.send({ type: "draft.changed", change: { audio: false } });
    expect(selectDraft(snapshot())).toEqual({ download: true, audio: false });
    actor.send({ type: "creation.submitted", draft });
    actor.send({ type: "creation.submitted", draft });
    expect([perform.inputs(), selectIsDoing(snapshot(), "create", null)]).toEqual([[{ kind: "create", draft }], true]);
    await perform.last().resolve({ kind: "created", link: link("new"), uncopied: null });
    expect([ids(), emitted, selectDraft(snapshot()), perform.asked.length]).toEqual([["new"], ["link.copied"], {}, 1]);
    expect(selectIsDoing(snapshot(), "create", null)).toBe(false);
  });

  test("shows an address that the browser did not copy until the next request", async () => {
    const { actor, perform, emitted, now: snapshot } = await opened(link("one"), link("two"));
    actor.send({ type: "copy.requested", id: "two" });
    expect([selectIsDoing(snapshot(), "copy", "two"), selectIsDoing(snapshot(), "copy", "one")]).toEqual([true, false]);
    await perform.last().resolve({ kind: "copied", uncopied: "what opens two" });
    const shown = () => ["one", "two"].map((id) => selectUncopied(snapshot(), id));
    expect([shown(), emitted]).toEqual([[null, "what opens two"], []]);
    actor.send({ type: "creation.submitted", draft });
    expect(shown()).toEqual([null, null]);
    await perform.last().resolve({ kind: "created", link: link("new"), uncopied: "what opens new" });
    expect([selectUncopied(snapshot(), "new"), emitted]).toEqual(["what opens new", []]);
    actor.send({ type: "copy.requested", id: "one" });
    await perform.last().resolve({ kind: "copied", uncopied: null });
    expect(emitted).toEqual(["link.copied"]);
    expect(JSON.stringify(snapshot().context)).not.toContain("what opens");
  });

  test("applies switches at once and in order, and shows the server's state when that fails", async () => {
    const { actor, perform, load, emitted, now: snapshot } = await opened(link("one"), link("two"));
    const isOn = () =>
      selectItems(snapshot()).map((each) => [selectIsOn(snapshot(), each, "audio"), selectIsOn(snapshot(), each, "download")]);
    actor.send({ type: "switch.toggled", id: "two", change: { audio: true } });
    actor.send({ type: "switch.toggled", id: "two", change: { download: true } });
    actor.send({ type: "switch.toggled", id: "two", change: { download: false } });
    expect([perform.inputs(), isOn()]).toEqual([
      [{ kind: "switch", id: "two", change: { audio: true } }],
      [
        [false, false],
        [true, false],
      ],
    ]);
    await perform.last().resolve({ kind: "saved", link: link("two", { audio: true }) });
    await perform.last().resolve({ kind: "saved", link: link("two", { audio: true, download: true }) });
    await perform.last().reject("network");
    expect(isOn()).toEqual([
      [false, false],
      [true, true],
    ]);
    expect([selectFailure(snapshot()), selectFailureOf(snapshot(), "two"), selectFailureOf(snapshot(), "one"), emitted]).toEqual([
      "network",
      "network",
      null,
      [],
    ]);
    await load.last().resolve({ items: [link("two")] });
    expect(isOn()).toEqual([[false, false]]);
    actor.send({ type: "switch.toggled", id: "two", change: { audio: true } });
    expect(selectFailure(snapshot())).toBeNull();
  });

  test("saves a link's details by its form, shows errors at once, and stores no passphrase", async () => {
    const { actor, perform, emitted, now: snapshot } = await opened(link("one"), link("two"));
    const submit = (change: { passphrase: string }) => actor.send({ type: "details.submitted", id: "two", change });
    submit({ passphrase: "short" });
    expect([selectFailureOf(snapshot(), "two"), perform.asked.length]).toEqual(["shortPassphrase", 0]);
    for (const code of ["passwordCommon", null]) {
      submit({ passphrase: "seventeen green boats" });
      expect([selectFailure(snapshot()), selectIsDoing(snapshot(), "details", "two")]).toEqual([null, true]);
      if (code !== null) await perform.last().reject(code);
      else await perform.last().resolve({ kind: "saved", link: link("two", { locked: true }) });
      expect([selectFailureOf(snapshot(), "two"), JSON.stringify(snapshot().context).includes("boats")]).toEqual([code, false]);
    }
    expect([emitted, selectSaves(snapshot(), "two"), selectSaves(snapshot(), "one")]).toEqual([["details.saved"], 1, 0]);
    expect(selectItems(snapshot()).map(({ locked }) => locked)).toEqual([false, true]);
  });

  test("revokes a link after confirmation, and notices one that was revoked elsewhere", async () => {
    const { actor, perform, load, emitted, ids, now: snapshot } = await opened(link("one"), link("two"));
    actor.send({ type: "removal.confirmed" });
    actor.send({ type: "removal.requested", id: "one" });
    expect([selectIsAsking(snapshot()), perform.asked.length]).toEqual([true, 0]);
    actor.send({ type: "removal.dismissed" });
    expect(selectIsAsking(snapshot())).toBe(false);
    actor.send({ type: "removal.requested", id: "one" });
    actor.send({ type: "removal.confirmed" });
    expect([selectIsAsking(snapshot()), selectIsDoing(snapshot(), "revoke", "one")]).toEqual([false, true]);
    await perform.last().resolve({ kind: "revoked" });
    expect([ids(), emitted]).toEqual([["two"], ["link.revoked"]]);
    actor.send({ type: "removal.requested", id: "two" });
    actor.send({ type: "removal.confirmed" });
    await perform.last().reject("notFound");
    expect(selectFailure(snapshot())).toBe("notFound");
    await load.last().resolve({ items: [] });
    expect(ids()).toEqual([]);
  });

  test("reloads links when the page is seen again or the network is back, and accepts a server without links", async () => {
    const { wakeUps, load, ids, now: snapshot } = start();
    expect([selectIsLoading(snapshot()), selectIsOpen(snapshot())]).toEqual([true, false]);
    await load.last().reject("network");
    expect(selectHasFailed(snapshot())).toBe(true);
    wakeUps.say({ type: "page.resumed" });
    await load.last().resolve({ items: [link("one")] });
    expect([selectIsLoading(snapshot()), selectIsOpen(snapshot())]).toEqual([false, true]);
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
])("checks the details %j of a link: %s", (sent, flaw) => {
  expect(flawOf(sent, now)).toBe(flaw);
});

test("includes existing audio and translation in a new link, and makes the newest working link the main one", () => {
  const has = { audio: true, translation: false };
  expect(draftOf(has, {})).toEqual({ audio: true, translation: false, download: false });
  expect(draftOf(has, { audio: false, download: true })).toEqual({ audio: false, translation: false, download: true });
  expect(mainLink([link("ended", { ended: true }), link("works"), link("older")])?.id).toBe("works");
  expect(mainLink([link("ended", { ended: true })])).toBeUndefined();
});
