import { assign, fromPromise, not, setup } from "xstate";
import { codeOf, type Failed } from "#machines/failure.ts";
import { notProvided } from "#machines/not-provided.ts";
import { withEvent, withOutput } from "#machines/with-event.ts";
import type { Drawing } from "./drawing.ts";
import type { InspectorEvent } from "./events.ts";
import { type ChartState, pathKey, statesOf, type WatchedMachine } from "./rules.ts";
import { type InspectorContext, layoutKey, selectLayoutInput } from "./selectors.ts";

export interface LayoutInput {
  chart: ChartState;
  /** Paths of the states that are drawn with their insides. */
  unfolded: readonly string[];
}

/**
 * The content of `/debug/machines`: one live machine at a time, now or after one of its events. Its chart is laid out
 * again only when the open states differ from the drawn ones: hundreds of events may arrive in that time, and other
 * changes are only marked.
 */
export const inspectionMachine = setup({
  types: {
    context: {} as InspectorContext,
    events: {} as InspectorEvent,
  },
  actors: {
    layout: fromPromise<Drawing, LayoutInput | undefined>(async () => notProvided("layout")),
  },
  actions: {
    assignMachines: assign({ machines: (_, { machines }: { machines: readonly WatchedMachine[] }) => machines }),
    choose: assign({
      wanted: (_, { sessionId }: { sessionId: string }) => sessionId,
      step: undefined,
      chosen: {},
    }),
    chooseStep: assign({ step: (_, { step }: { step: number | undefined }) => step }),
    toggle: assign({
      chosen: ({ context }, { path, isUnfolded }: { path: string; isUnfolded: boolean }) => ({
        ...context.chosen,
        [path]: isUnfolded,
      }),
    }),
    openAll: assign({ chosen: ({ context }) => chosenForAll(context, true) }),
    followActive: assign({ chosen: {} }),
    assignTerm: assign({ term: (_, { term }: { term: string }) => term.trim().toLowerCase() }),
    noteRequest: assign({ requested: ({ context }) => layoutKey(context) }),
    assignDrawing: assign({
      drawn: ({ context }, drawing: Drawing) => ({ key: context.requested, drawing }),
    }),
    assignError: assign({ error: (_, { error }: Failed) => codeOf(error) }),
    clearError: assign({ error: null }),
  },
  guards: {
    hasMachine: ({ context }) => selectLayoutInput({ context }) !== undefined,
    isOutdated: ({ context }) => layoutKey(context) !== context.drawn?.key,
    isOther: ({ context }) => layoutKey(context) !== context.requested,
  },
}).createMachine({
  id: "inspection",
  context: {
    machines: [],
    wanted: undefined,
    step: undefined,
    chosen: {},
    term: "",
    requested: "",
    drawn: undefined,
    error: null,
  },
  initial: "waiting",
  on: {
    "machines.changed": { actions: withEvent("assignMachines") },
    "machine.chosen": { actions: withEvent("choose") },
    "step.chosen": { actions: withEvent("chooseStep") },
    "state.toggled": { actions: withEvent("toggle") },
    "everything.opened": { actions: "openAll" },
    "everything.folded": { actions: "followActive" },
    "search.changed": { actions: withEvent("assignTerm") },
  },
  states: {
    /** No tab shows its machines. */
    waiting: { entry: "clearError", always: { guard: "hasMachine", target: "drawn" } },
    drawn: {
      always: [
        { guard: not("hasMachine"), target: "waiting" },
        { guard: "isOutdated", target: "layingOut" },
      ],
    },
    /** The previous drawing stays. Changes during the layout lead to one more layout afterwards. */
    layingOut: {
      entry: ["noteRequest", "clearError"],
      invoke: {
        src: "layout",
        input: ({ context }) => selectLayoutInput({ context }),
        onDone: { target: "drawn", actions: withOutput("assignDrawing") },
        onError: { target: "failed", actions: withEvent("assignError") },
      },
    },
    /** The list of states is still shown. */
    failed: {
      always: [
        { guard: not("hasMachine"), target: "waiting" },
        { guard: "isOther", target: "layingOut" },
      ],
      on: { "layout.requested": "layingOut" },
    },
  },
});

function chosenForAll(context: InspectorContext, isUnfolded: boolean): Readonly<Record<string, boolean>> {
  const chart = selectLayoutInput({ context })?.chart;
  return Object.fromEntries((chart === undefined ? [] : statesOf(chart)).map(({ path }) => [pathKey(path), isUnfolded]));
}
