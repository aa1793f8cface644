import { createActor } from "xstate";
import {
  type SelectionEvent,
  selectCount,
  selectIsSelecting,
  selectionMachine,
  selectSelected,
} from "#machines/transcriptions/selection.ts";
import { sent } from "#tests/paths/harness-moves.ts";
import type { Move, RunOptions, Walk } from "#tests/paths/harness-walk.ts";

/** Four rows, as they are shown. */
const rows = ["t1", "t2", "t3", "t4"];

function prepare() {
  return ({ clock, inspect }: RunOptions) => ({
    actor: createActor(selectionMachine, { clock, inspect }),
    /** Whether the last two rows are shown. */
    shown: rows,
  });
}
export type SelectionHarness = ReturnType<ReturnType<typeof prepare>>;

const snapshot = ({ actor }: SelectionHarness) => actor.getSnapshot();
const toggle = (id: string) => sent<SelectionEvent>({ type: "row.toggled", id }, `${id} is toggled`);
const extend = (id: string): Move<SelectionHarness> => ({
  name: `Shift up to ${id}`,
  may: ({ shown }) => shown.includes(id),
  happen: ({ actor, shown }) => actor.send({ type: "range.requested", id, ids: shown }),
});

/** Walked on live actors by selection.test.ts. */
export const selectionWalk: Walk<SelectionHarness> = {
  machine: selectionMachine,
  prepare,
  moves: [
    toggle("t1"),
    toggle("t2"),
    extend("t3"),
    extend("t1"),
    {
      name: "all are wanted",
      may: () => true,
      happen: ({ actor, shown }) => actor.send({ type: "all.requested", ids: shown }),
    },
    sent({ type: "selection.cleared" }),
    {
      name: "fewer are shown",
      may: ({ shown }) => shown.length > 2,
      happen: (harness) => {
        harness.shown = rows.slice(0, 2);
        harness.actor.send({ type: "rows.changed", ids: harness.shown });
      },
    },
    {
      name: "none is shown",
      may: ({ shown }) => shown.length > 0,
      happen: (harness) => {
        harness.shown = [];
        harness.actor.send({ type: "rows.changed", ids: [] });
      },
    },
  ],
  isLocal: "the list is in the page",
  situation: (harness) => {
    const { base, anchor } = snapshot(harness).context;
    return [[...selectSelected(snapshot(harness))].sort().join(), [...base].sort().join(), anchor, harness.shown.length];
  },
  rules: {
    "something is selected, or nothing": (harness) => selectIsSelecting(snapshot(harness)) === selectCount(snapshot(harness)) > 0,
    "only what exists is selected": (harness) => [...selectSelected(snapshot(harness))].every((id) => rows.includes(id)),
  },
};
