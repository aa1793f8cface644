import { assign, not, type SnapshotFrom, setup } from "xstate";
import { withEvent } from "#machines/with-event.ts";

export type SelectionEvent =
  /** The person presses the checkbox of a row, or Space on it. */
  | { type: "row.toggled"; id: string }
  /** With Shift: all rows from the one toggled last to this one. `ids`: all rows as shown. */
  | { type: "range.requested"; id: string; ids: readonly string[] }
  | { type: "all.requested"; ids: readonly string[] }
  | { type: "selection.cleared" }
  /** Other rows are shown: hidden rows are not selected. */
  | { type: "rows.changed"; ids: readonly string[] };

interface SelectionContext {
  selected: ReadonlySet<string>;
  /** The selection before the current range. It stays when the range gets shorter. */
  base: ReadonlySet<string>;
  /** The beginning of the range: the row that was toggled last. */
  anchor: string | null;
}

const nothing: SelectionContext = { selected: new Set(), base: new Set(), anchor: null };

function toggled({ selected }: SelectionContext, id: string): SelectionContext {
  const after = new Set(selected);
  if (!after.delete(id)) after.add(id);
  return { selected: after, base: after, anchor: id };
}

function extended({ base, anchor }: SelectionContext, id: string, ids: readonly string[]): SelectionContext {
  const to = ids.indexOf(id);
  const known = anchor === null ? -1 : ids.indexOf(anchor);
  const from = known < 0 ? to : known;
  const range = ids.slice(Math.min(from, to), Math.max(from, to) + 1);
  return { base, anchor: ids[from] ?? null, selected: new Set([...base, ...range]) };
}

function limited({ selected, base, anchor }: SelectionContext, ids: readonly string[]): SelectionContext {
  const shown = new Set(ids);
  const isShown = (id: string) => shown.has(id);
  const selectedNow = new Set([...selected].filter(isShown));
  return {
    // The same object while the selection is the same.
    selected: selectedNow.size === selected.size ? selected : selectedNow,
    base: new Set([...base].filter(isShown)),
    anchor: anchor !== null && isShown(anchor) ? anchor : null,
  };
}

/** The selected rows of a list: one by one, a range, or all. */
export const selectionMachine = setup({
  types: { context: {} as SelectionContext, events: {} as SelectionEvent },
  actions: {
    toggle: assign(({ context }, { id }: { id: string }) => toggled(context, id)),
    extend: assign(({ context }, { id, ids }: { id: string; ids: readonly string[] }) => extended(context, id, ids)),
    selectAll: assign((_, { ids }: { ids: readonly string[] }) => ({ ...nothing, selected: new Set(ids), base: new Set(ids) })),
    limit: assign(({ context }, { ids }: { ids: readonly string[] }) => limited(context, ids)),
    clear: assign(() => nothing),
  },
  guards: {
    isEmpty: ({ context }) => context.selected.size === 0,
  },
}).createMachine({
  id: "selection",
  context: nothing,
  initial: "none",
  on: {
    "row.toggled": { actions: withEvent("toggle") },
    "range.requested": { actions: withEvent("extend") },
    "all.requested": { actions: withEvent("selectAll") },
  },
  states: {
    none: { always: { guard: not("isEmpty"), target: "some" } },
    some: {
      always: { guard: "isEmpty", target: "none" },
      on: {
        "rows.changed": { actions: withEvent("limit") },
        "selection.cleared": { actions: "clear" },
      },
    },
  },
});

type Snapshot = SnapshotFrom<typeof selectionMachine>;

/** A new set only when it changes. */
export const selectSelected = (snapshot: Snapshot): ReadonlySet<string> => snapshot.context.selected;
export const selectCount = (snapshot: Snapshot): number => snapshot.context.selected.size;
export const selectIsSelecting = (snapshot: Snapshot): boolean => snapshot.matches("some");
export const isSelected =
  (id: string) =>
  (snapshot: Snapshot): boolean =>
    snapshot.context.selected.has(id);
