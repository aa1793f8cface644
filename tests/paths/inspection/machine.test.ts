import { createActor } from "xstate";
import type { Drawing } from "#machines/inspection/drawing.ts";
import { inspectionMachine, type LayoutInput } from "#machines/inspection/machine.ts";
import { layoutKey, selectDrawing, selectMachine } from "#machines/inspection/selectors.ts";
import { ajar, drawing, locked, watched } from "#tests/machines/inspection/harness.ts";
import { answered, failure, refused, sent } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

function prepare(stubs: Stubs) {
  const layout = stubs.asking<Drawing, LayoutInput | undefined>();
  const machine = inspectionMachine.provide({ actors: { layout: layout.logic } });
  return ({ clock, inspect }: RunOptions) => ({ actor: createActor(machine, { clock, inspect }), layout });
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const context = ({ actor }: Harness) => actor.getSnapshot().context;
const asked = ({ layout }: Harness) => layout;

walkTests<Harness>({
  machine: inspectionMachine,
  prepare,
  moves: [
    sent({ type: "machines.changed", machines: [watched("a", locked)] }, "a tab shows a machine"),
    sent({ type: "machines.changed", machines: [watched("a", locked, ajar)] }, "it moves to another branch"),
    sent({ type: "machines.changed", machines: [] }, "the tab is gone"),
    sent({ type: "machine.chosen", sessionId: "a" }),
    sent({ type: "step.chosen", step: 1 }, "an earlier event is chosen"),
    sent({ type: "state.toggled", path: "open", isUnfolded: true }, "a state is opened"),
    sent({ type: "everything.opened" }),
    sent({ type: "everything.folded" }),
    sent({ type: "search.changed", term: "Wide" }, "a state is searched for"),
    sent({ type: "layout.requested" }),
    answered("it is laid out", asked, () => drawing),
    refused("it can't be", asked, failure("internal")),
  ],
  isLocal: "it is laid out in the browser",
  situation: (harness) => [
    layoutKey(context(harness)),
    context(harness).requested,
    context(harness).drawn?.key,
    context(harness).wanted,
    Object.entries(context(harness).chosen),
    context(harness).error,
  ],
  rules: {
    "one layout at a time": ({ layout }) => layout.open().length <= 1,
    "never of nothing": ({ layout }) => layout.open().every(({ input }) => input !== undefined),
    "a drawing is of what is shown, when nothing is laid out": (harness) =>
      !harness.actor.getSnapshot().matches("drawn") || context(harness).drawn?.key === layoutKey(context(harness)),
    "a drawing is of the machine that is shown": ({ actor }) =>
      selectDrawing(actor.getSnapshot()) === undefined || selectMachine(actor.getSnapshot()) !== undefined,
    "a failure is said only where it can be tried again": (harness) =>
      context(harness).error === null || harness.actor.getSnapshot().matches("failed"),
  },
});
