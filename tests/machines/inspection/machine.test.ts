import { describe, expect, test } from "vitest";
import { createActor } from "xstate";
import type { Drawing } from "#machines/inspection/drawing.ts";
import { inspectionMachine, type LayoutInput } from "#machines/inspection/machine.ts";
import { isActive, matches, pathKey, statesOf, transitionKey, unfoldedPaths } from "#machines/inspection/rules.ts";
import {
  layoutKey,
  selectDrawing,
  selectHappening,
  selectLayoutError,
  selectLayoutInput,
  selectMachine,
  selectMachines,
} from "#machines/inspection/selectors.ts";
import { answering, stopsAfterTest } from "#tests/machines/harness.ts";
import { ajar, door, drawing, locked, unlocked, watched } from "./harness.ts";

function start() {
  const layout = answering<Drawing, LayoutInput | undefined>();
  const actor = stopsAfterTest(createActor(inspectionMachine.provide({ actors: { layout: layout.logic } })).start());
  const changed = (...machines: Parameters<typeof watched>[]) =>
    actor.send({ type: "machines.changed", machines: machines.map((one) => watched(...one)) });
  return { actor, layout, changed, asked: () => layout.inputs().map((input) => input?.unfolded) };
}

describe("which states are open", () => {
  const unfolded = (parts: Partial<Parameters<typeof unfoldedPaths>[1]>) =>
    unfoldedPaths(door, { value: { closed: "locked" }, chosen: {}, term: "", ...parts });

  test("the active branch alone", () => {
    expect(unfolded({})).toEqual(["", "closed"]);
    expect(unfolded({ value: { open: "wide" } })).toEqual(["", "open"]);
  });

  test("and what somebody has opened, not what somebody has folded", () => {
    expect(unfolded({ chosen: { open: true } })).toEqual(["", "closed", "open"]);
    expect(unfolded({ chosen: { closed: false } })).toEqual([""]);
  });

  test("and what a found state is in, by its name, an event or an actor", () => {
    expect(unfolded({ term: "wide" })).toEqual(["", "closed", "open"]);
    expect(unfolded({ term: "draught", chosen: { open: false } })).toEqual(["", "closed", "open"]);
    expect(unfolded({ value: { open: "wide" }, term: "key" })).toEqual(["", "closed", "open"]);
    expect(unfolded({ term: "window" })).toEqual(["", "closed"]);
    expect(matches(door, "")).toBe(false);
  });
});

describe("what is drawn", () => {
  test("nothing is laid out before a tab shows a machine", () => {
    const { asked } = start();
    expect(asked()).toEqual([]);
  });

  test("the active branch is laid out, and not again while no other branch is", async () => {
    const { actor, changed, layout, asked } = start();
    changed(["a", locked]);
    expect(asked()).toEqual([["", "closed"]]);
    await layout.last().resolve(drawing);
    expect(selectDrawing(actor.getSnapshot())).toBe(drawing);
    for (let count = 0; count < 300; count++) changed(["a", locked, count % 2 === 0 ? unlocked : locked]);
    expect(asked()).toHaveLength(1);
    changed(["a", locked, unlocked, ajar]);
    expect(asked()).toEqual([
      ["", "closed"],
      ["", "open"],
    ]);
    // The old drawing stays until the new one is there.
    expect(selectDrawing(actor.getSnapshot())).toBe(drawing);
  });

  test("what changes while it is laid out is laid out once, afterwards", async () => {
    const { actor, changed, layout, asked } = start();
    changed(["a", locked]);
    changed(["a", ajar]);
    actor.send({ type: "everything.opened" });
    actor.send({ type: "state.toggled", path: "closed", isUnfolded: false });
    expect(asked()).toHaveLength(1);
    await layout.last().resolve(drawing);
    expect(asked()).toEqual([
      ["", "closed"],
      ["", "open"],
    ]);
  });

  test("everything can be opened, and folded again but for what is active", async () => {
    const { actor, changed, layout, asked } = start();
    changed(["a", locked]);
    await layout.last().resolve(drawing);
    actor.send({ type: "everything.opened" });
    expect(asked().at(-1)).toEqual(["", "closed", "open"]);
    await layout.last().resolve(drawing);
    actor.send({ type: "everything.folded" });
    expect(asked().at(-1)).toEqual(["", "closed"]);
  });

  test("a failure is said, and tried again on request or when something else is to be drawn", async () => {
    const { actor, changed, layout, asked } = start();
    changed(["a", locked]);
    await layout.last().reject("network");
    expect(selectLayoutError(actor.getSnapshot())).toBe("network");
    changed(["a", unlocked]);
    expect(asked()).toHaveLength(1);
    actor.send({ type: "layout.requested" });
    expect(asked()).toHaveLength(2);
    expect(selectLayoutError(actor.getSnapshot())).toBeNull();
    await layout.last().reject("network");
    changed(["a", ajar]);
    expect(asked()).toHaveLength(3);
  });
});

describe("what is shown", () => {
  test("the first machine, until another is chosen; the first again when that one's tab is gone", () => {
    const { actor, changed } = start();
    changed(["a", locked], ["b", ajar]);
    expect(selectMachine(actor.getSnapshot())?.sessionId).toBe("a");
    actor.send({ type: "machine.chosen", sessionId: "b" });
    expect(selectMachine(actor.getSnapshot())?.sessionId).toBe("b");
    expect(selectDrawing(actor.getSnapshot())).toBeUndefined();
    changed(["a", locked]);
    expect(selectMachine(actor.getSnapshot())?.sessionId).toBe("a");
    changed();
    expect(selectMachine(actor.getSnapshot())).toBeUndefined();
  });

  test("its newest event, until another is chosen", async () => {
    const { actor, changed, layout, asked } = start();
    changed(["a", locked, unlocked]);
    expect(selectHappening(actor.getSnapshot())).toBe(unlocked);
    actor.send({ type: "step.chosen", step: 1 });
    changed(["a", locked, unlocked, ajar]);
    expect(selectHappening(actor.getSnapshot())).toBe(locked);
    await layout.last().resolve(drawing);
    expect(asked()).toHaveLength(1);
    actor.send({ type: "step.chosen", step: undefined });
    expect(selectHappening(actor.getSnapshot())).toBe(ajar);
    expect(asked()).toHaveLength(2);
  });
});

test("a state is active by its whole path, in one branch or in several at once", () => {
  const value = { token: "valid", refresh: { open: "idle" } };
  const paths = [[], ["token"], ["token", "valid"], ["refresh", "open", "idle"], ["refresh", "open"]];
  expect(paths.map((path) => isActive(value, path))).toEqual(Array(5).fill(true));
  const others = [["valid"], ["token", "idle"], ["token", "valid", "more"], ["refresh", "idle"]];
  expect(others.map((path) => isActive(value, path))).toEqual(Array(4).fill(false));
  expect([isActive("on", ["on"]), isActive("on", ["on", "more"]), isActive(undefined, ["on"])]).toEqual([true, false, false]);
});

test("states and their transitions are named by their paths, the root first", () => {
  expect(statesOf(door).map(({ path }) => pathKey(path))).toEqual([
    "",
    "closed",
    "closed.locked",
    "closed.unlocked",
    "open",
    "open.ajar",
    "open.wide",
  ]);
  expect(transitionKey(["closed", "locked"], "key.turned/0")).toBe("closed.locked|key.turned/0");
});

test("what is to be drawn is nothing without a machine, else its structure under its own key", () => {
  const { actor, changed } = start();
  expect([selectMachines(actor.getSnapshot()), selectLayoutInput(actor.getSnapshot())]).toEqual([[], undefined]);
  expect(layoutKey(actor.getSnapshot().context)).toBe("");
  changed(["a", locked], ["b", locked, unlocked, ajar]);
  expect(selectMachines(actor.getSnapshot()).map(({ sessionId }) => sessionId)).toEqual(["a", "b"]);
  expect(selectLayoutInput(actor.getSnapshot())).toEqual({ chart: door, unfolded: ["", "closed"] });
  expect(layoutKey(actor.getSnapshot().context)).toBe("a\n\nclosed");
  expect(layoutKey({ ...actor.getSnapshot().context, wanted: "b" })).toBe("b\n\nopen");
  expect(layoutKey({ ...actor.getSnapshot().context, wanted: "b", step: 2 })).toBe("b\n\nclosed");
});
