import { expect, test } from "vitest";
import { createActor, fromCallback, SimulatedClock } from "xstate";
import type { ShortcutDialog } from "#machines/shortcuts/events.ts";
import { selectDialog, selectTyped, shortcutsMachine } from "#machines/shortcuts/machine.ts";
import { answering, stopsAfterTest } from "#tests/machines/harness.ts";

function setUp() {
  const load = answering<void, ShortcutDialog>();
  const clock = new SimulatedClock();
  let hears = false;
  const keys = fromCallback(() => {
    hears = true;
    return () => {
      hears = false;
    };
  });
  const typing = fromCallback(() => {});
  const machine = shortcutsMachine.provide({ actors: { keys, typing, load: load.logic } });
  const actor = stopsAfterTest(createActor(machine, { clock }));
  const emitted: string[] = [];
  actor.on("action.due", ({ action }) => emitted.push(action));
  actor.on("dialog.failed", () => emitted.push("failed"));
  actor.start();
  return {
    load,
    clock,
    emitted,
    send: actor.send.bind(actor),
    hears: () => hears,
    open: () => selectDialog(actor.getSnapshot()),
    typed: () => selectTyped(actor.getSnapshot()),
  };
}

test("opens a dialog once it is loaded, and ignores keys until it is closed", async () => {
  const { load, send, hears, open } = setUp();
  expect([hears(), open()]).toEqual([true, null]);
  send({ type: "dialog.requested", dialog: "keys" });
  expect([hears(), open(), load.inputs()]).toEqual([false, null, ["keys"]]);
  await load.last().resolve();
  expect([hears(), open()]).toEqual([false, "keys"]);
  send({ type: "dialog.closed" });
  expect([hears(), open()]).toEqual([true, null]);
});

test("begins a dialog with text typed during loading, and the next one empty", async () => {
  const { load, send, typed } = setUp();
  send({ type: "dialog.requested", dialog: "search" });
  for (const text of "har") send({ type: "text.typed", text });
  await load.last().resolve();
  send({ type: "text.typed", text: "b" });
  expect(typed()).toBe("harb");
  send({ type: "dialog.closed" });
  send({ type: "dialog.requested", dialog: "search" });
  expect(typed()).toBe("");
});

test("reports a dialog that can't be loaded, and listens to keys again", async () => {
  const { load, send, hears, emitted, open } = setUp();
  send({ type: "dialog.requested", dialog: "search" });
  await load.last().reject("network");
  expect([hears(), open(), emitted]).toEqual([true, null, ["failed"]]);
});

test("performs a key's action on another page once, as soon as that page offers it", () => {
  const { send, emitted } = setUp();
  send({ type: "action.owed", action: "edit" });
  send({ type: "actions.offered", actions: ["record"] });
  expect(emitted).toEqual([]);
  send({ type: "actions.offered", actions: ["undo", "edit"] });
  send({ type: "actions.offered", actions: ["edit"] });
  expect(emitted).toEqual(["edit"]);
});

test("drops a key's action after ten seconds or after another key", () => {
  const { send, clock, emitted } = setUp();
  const offer = () => send({ type: "actions.offered", actions: ["record"] });
  send({ type: "action.owed", action: "record" });
  clock.increment(10_000);
  offer();
  expect(emitted).toEqual([]);
  send({ type: "action.owed", action: "record" });
  send({ type: "key.struck", action: "upload" });
  offer();
  expect(emitted).toEqual(["upload"]);
});
