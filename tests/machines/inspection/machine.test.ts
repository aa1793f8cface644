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

describe("open states in the tree", () => {
  const unfolded = (parts: Partial<Parameters<typeof unfoldedPaths>[1]>) =>
    unfoldedPaths(door, { value: { closed: "locked" }, chosen: {}, term: "", ...parts });

  test("draws only the active branch of a statechart open", () => {
    expect(unfolded({})).toEqual(["", "closed"]);
    expect(unfolded({ value: { open: "wide" } })).toEqual(["", "open"]);
  });

  test("opens what the person opened, and closes what the person folded", () => {
    expect(unfolded({ chosen: { open: true } })).toEqual(["", "closed", "open"]);
    expect(unfolded({ chosen: { closed: false } })).toEqual([""]);
  });

  test("opens the branch of a state found by name, event or actor", () => {
    expect(unfolded({ term: "wide" })).toEqual(["", "closed", "open"]);
    expect(unfolded({ term: "draught", chosen: { open: false } })).toEqual(["", "closed", "open"]);
    expect(unfolded({ value: { open: "wide" }, term: "key" })).toEqual(["", "closed", "open"]);
    expect(unfolded({ term: "window" })).toEqual(["", "closed"]);
    expect(matches(door, "")).toBe(false);
  });
});

describe("drawn states of a machine", () => {
  test("lays out nothing before a tab shows a machine", () => {
    const { asked } = start();
    expect(asked()).toEqual([]);
  });

  test("lays out the active branch, and again only when another branch becomes active", async () => {
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
    // The old drawing stays until the new one is ready.
    expect(selectDrawing(actor.getSnapshot())).toBe(drawing);
  });

  test("lays out changes that arrive during a layout once, afterwards", async () => {
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

  test("opens all states, and folds all but the active ones", async () => {
    const { actor, changed, layout, asked } = start();
    changed(["a", locked]);
    await layout.last().resolve(drawing);
    actor.send({ type: "everything.opened" });
    expect(asked().at(-1)).toEqual(["", "closed", "open"]);
    await layout.last().resolve(drawing);
    actor.send({ type: "everything.folded" });
    expect(asked().at(-1)).toEqual(["", "closed"]);
  });

  test("reports a failed layout, and retries on request or for the next drawing", async () => {
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

describe("shown machine and event", () => {
  test("shows the first machine until another is chosen or the chosen one's tab is gone", () => {
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

  test("shows a machine's newest event until another is chosen", async () => {
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

test("recognizes an active state by its whole path, also in parallel branches", () => {
  const value = { token: "valid", refresh: { open: "idle" } };
  const paths = [[], ["token"], ["token", "valid"], ["refresh", "open", "idle"], ["refresh", "open"]];
  expect(paths.map((path) => isActive(value, path))).toEqual(Array(5).fill(true));
  const others = [["valid"], ["token", "idle"], ["token", "valid", "more"], ["refresh", "idle"]];
  expect(others.map((path) => isActive(value, path))).toEqual(Array(4).fill(false));
  expect([isActive("on", ["on"]), isActive("on", ["on", "more"]), isActive(undefined, ["on"])]).toEqual([true, false, false]);
});

test("names states and transitions by their paths, beginning with the root", () => {
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

test("lays out nothing without a machine, and else its structure under its own key", () => {
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
