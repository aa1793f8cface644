import { describe, expect, test } from "vitest";
import { createActor } from "xstate";
import {
  isSelected,
  selectCount,
  selectIsSelecting,
  selectionMachine,
  selectSelected,
} from "#machines/transcriptions/selection.ts";
import { stopsAfterTest } from "#tests/machines/harness.ts";

const ids = ["a", "b", "c", "d", "e"];

function setUp() {
  const actor = stopsAfterTest(createActor(selectionMachine)).start();
  return {
    toggle: (id: string) => actor.send({ type: "row.toggled", id }),
    extend: (id: string) => actor.send({ type: "range.requested", id, ids }),
    send: actor.send.bind(actor),
    selected: () => [...selectSelected(actor.getSnapshot())].sort().join(""),
    snapshot: () => actor.getSnapshot(),
  };
}

test("selects and deselects single rows of the history", () => {
  const { toggle, selected, snapshot } = setUp();
  toggle("a");
  toggle("c");
  expect([selected(), selectCount(snapshot()), isSelected("c")(snapshot()), isSelected("b")(snapshot())]).toEqual([
    "ac",
    2,
    true,
    false,
  ]);
  toggle("a");
  toggle("c");
  expect([selected(), selectIsSelecting(snapshot())]).toEqual(["", false]);
});

describe("range of selected rows", () => {
  test("a range of selected rows goes from the last toggled row in both directions, and shrinks again", () => {
    const { toggle, extend, selected } = setUp();
    toggle("c");
    extend("e");
    expect(selected()).toBe("cde");
    extend("d");
    expect(selected()).toBe("cd");
    extend("a");
    expect(selected()).toBe("abc");
  });

  test("selecting a range of rows keeps the earlier selection", () => {
    const { toggle, extend, selected } = setUp();
    toggle("a");
    toggle("d");
    extend("e");
    extend("d");
    expect(selected()).toBe("ad");
  });

  test("a range of selected rows begins at its end if no row was toggled, or the toggled one is hidden", () => {
    const { toggle, extend, send, selected } = setUp();
    extend("b");
    extend("c");
    expect(selected()).toBe("bc");
    toggle("a");
    toggle("a");
    send({ type: "rows.changed", ids: ["b", "c"] });
    extend("e");
    expect(selected()).toBe("bce");
  });
});

test("selects all rows of the history, or none", () => {
  const { send, selected } = setUp();
  send({ type: "all.requested", ids });
  expect(selected()).toBe("abcde");
  send({ type: "selection.cleared" });
  expect(selected()).toBe("");
});

test("hidden rows of the history are deselected, and nothing else changes", () => {
  const { toggle, send, selected, snapshot } = setUp();
  for (const id of ["a", "b"]) toggle(id);
  const before = selectSelected(snapshot());
  send({ type: "rows.changed", ids });
  expect(selectSelected(snapshot())).toBe(before);
  send({ type: "rows.changed", ids: ["b", "c"] });
  expect(selected()).toBe("b");
  send({ type: "rows.changed", ids: [] });
  expect(selectIsSelecting(snapshot())).toBe(false);
});
