import { expect, test } from "vitest";
import { createActor } from "xstate";
import type { FilingAnswer } from "#contract/index.ts";
import type { FilingEvent } from "#machines/filing/events.ts";
import {
  filingMachine,
  selectAllTags,
  selectFailure,
  selectFolders,
  selectIsOffered,
  selectIsSaving,
} from "#machines/filing/machine.ts";
import type { FilingEdit } from "#machines/filing/rules.ts";
import { answering, stopsAfterTest, talking } from "#tests/machines/harness.ts";

const some: FilingAnswer = { folders: [{ id: "w", name: "Work" }], tags: [{ id: "u", name: "Urgent", colour: "red" }] };
const renamed: FilingEdit = { kind: "folder", id: "w", draft: { name: "Job" } };

function setUp() {
  const load = answering<FilingAnswer>();
  const save = answering<string, FilingEdit>();
  const wakeUps = talking<FilingEvent, FilingEvent>();
  const machine = filingMachine.provide({ actors: { load: load.logic, save: save.logic, wakeUps: wakeUps.logic } });
  const actor = stopsAfterTest(createActor(machine));
  const saved: string[] = [];
  actor.on("edit.saved", ({ id }) => saved.push(id));
  actor.start();
  const get = <T>(select: (snapshot: ReturnType<typeof actor.getSnapshot>) => T) => select(actor.getSnapshot());
  const names = () => [...get(selectFolders), ...get(selectAllTags)].map(({ name }) => name);
  return { load, save, wakeUps, saved, names, get, send: actor.send.bind(actor) };
}

async function loaded() {
  const filing = setUp();
  await filing.load.last().resolve(some);
  return filing;
}

test("offers folders and tags once they are loaded, and loads them again when the network is back", async () => {
  const { load, wakeUps, names, get, send } = setUp();
  expect(get(selectIsOffered)).toBe(false);
  await load.last().reject("network");
  wakeUps.say({ type: "page.resumed" });
  await load.last().reject("internal");
  send({ type: "reload.requested" });
  await load.last().resolve(some);
  expect([get(selectIsOffered), names()]).toEqual([true, ["Work", "Urgent"]]);
});

test("prefers another tab's update that arrived during loading", async () => {
  const { load, names, send } = setUp();
  send({ type: "filing.received", filing: { folders: [{ id: "h", name: "Home" }], tags: [] } });
  await load.last().resolve(some);
  expect(names()).toEqual(["Home"]);
});

test("offers nothing when the server has no folders, and does not ask again", async () => {
  const { load, get, send } = setUp();
  await load.last().reject("notOffered");
  send({ type: "reload.requested" });
  expect([get(selectIsOffered), load.asked.length]).toEqual([false, 1]);
});

test("creates, changes and deletes folders and tags one at a time, and keeps them sorted by name", async () => {
  const { save, saved, names, get, send } = await loaded();
  send({ type: "edit.requested", edit: { kind: "folder", id: null, draft: { name: "archive" } } });
  send({ type: "edit.requested", edit: renamed });
  expect([save.asked.length, get(selectIsSaving)]).toEqual([1, true]);
  await save.last().resolve("a");
  send({ type: "edit.requested", edit: renamed });
  await save.last().resolve("w");
  send({ type: "edit.requested", edit: { kind: "tag", id: null, draft: { name: "Later", colour: "blue" } } });
  await save.last().resolve("l");
  expect([names(), saved]).toEqual([
    ["archive", "Job", "Later", "Urgent"],
    ["a", "w", "l"],
  ]);
  send({ type: "edit.requested", edit: { kind: "tag", id: "u", draft: { name: "Urgent", colour: "green" } } });
  await save.last().resolve("u");
  expect(get(selectAllTags).map(({ colour }) => colour)).toEqual(["blue", "green"]);
  send({ type: "edit.requested", edit: { kind: "folder", id: "w", draft: null } });
  await save.last().resolve("w");
  send({ type: "edit.requested", edit: { kind: "tag", id: "u", draft: null } });
  await save.last().resolve("u");
  expect(names()).toEqual(["archive", "Later"]);
});

test("shows why an edit failed until the next edit or dismissal, and changes nothing", async () => {
  const { save, saved, names, get, send } = await loaded();
  send({ type: "edit.requested", edit: renamed });
  await save.last().reject("conflict");
  expect([get(selectFailure), names(), saved, get(selectIsSaving)]).toEqual(["conflict", ["Work", "Urgent"], [], false]);
  send({ type: "edit.requested", edit: renamed });
  expect(get(selectFailure)).toBeNull();
  await save.last().rejectWith("what is this");
  expect(get(selectFailure)).toBe("internal");
  send({ type: "failure.dismissed" });
  expect(get(selectFailure)).toBeNull();
});

test("takes over other tabs' changes also during a save, without duplicates", async () => {
  const { save, names, send } = await loaded();
  send({ type: "edit.requested", edit: { kind: "folder", id: null, draft: { name: "Home" } } });
  send({
    type: "filing.received",
    filing: { folders: [{ id: "h", name: "Home" }, ...some.folders], tags: [] },
  });
  await save.last().resolve("h");
  expect(names()).toEqual(["Home", "Work"]);
});
