import { createActor } from "xstate";
import type { Insight, InsightMaking, InsightRequest, InsightsAnswer, Point } from "#contract/index.ts";
import type { InsightChange, InsightsEvent } from "#machines/insights/events.ts";
import { insightsMachine } from "#machines/insights/machine.ts";
import { selectFailure, selectIsMaking, selectPhase } from "#machines/insights/selectors.ts";
import { answered, failure, outage, refused, said, sent } from "#tests/paths/harness-moves.ts";
import type { Stubs } from "#tests/paths/harness-stubs.ts";
import { type Move, type RunOptions, walkTests } from "#tests/paths/harness-walk.ts";

const model = { name: "small", host: "localhost", offline: true };
const point: Point = { text: "Print it", spans: [[0, 3]], task: { owner: null, due: null, done: false } };
const request: InsightRequest = { kind: "tasks", language: null };
const tasks: Insight = {
  id: "tasks",
  kind: "tasks",
  template: null,
  question: null,
  points: [point],
  omitted: 0,
  model: "small",
  createdAt: "2026-03-01T12:00:00.000Z",
  outdated: false,
};

function prepare(stubs: Stubs) {
  const load = stubs.asking<InsightsAnswer, { id: string }>();
  const save = stubs.asking<Insight | null, { id: string } & InsightChange>();
  const make = stubs.callback<InsightMaking, InsightMaking, { id: string; request: InsightRequest }>();
  const machine = insightsMachine.provide({ actors: { load: load.logic, save: save.logic, make: make.logic } });
  return ({ clock, inspect }: RunOptions) => ({
    actor: createActor(machine, { clock, inspect, input: { id: "t" } }),
    load,
    save,
    make,
  });
}
type Harness = ReturnType<ReturnType<typeof prepare>>;

const loading = ({ load }: Harness) => load;
const saving = ({ save }: Harness) => save;
const making = ({ make }: Harness) => make;
const context = ({ actor }: Harness) => actor.getSnapshot().context;
/** Three changes that wait behave like two. */
function few(event: InsightsEvent, name: string): Move<Harness> {
  const move = sent<InsightsEvent>(event, name);
  return { ...move, may: (harness, clock) => context(harness).changes.length < 2 && move.may(harness, clock) };
}

walkTests<Harness>({
  machine: insightsMachine,
  prepare,
  moves: [
    sent({ type: "reload.requested" }),
    sent({ type: "insight.requested", request }),
    sent({ type: "stop.requested" }),
    few({ type: "task.changed", insight: "tasks", change: { index: 0, done: true } }, "a task is ticked off"),
    sent<InsightsEvent>({ type: "deletion.requested", insight: "tasks" }),
    few({ type: "deletion.confirmed" }, "the list is deleted"),
    sent<InsightsEvent>({ type: "deletion.cancelled" }),
    answered("there is a list of tasks", loading, () => ({ model, insights: [tasks] })),
    answered("no model is set up", loading, () => ({ model: null, insights: [tasks] })),
    refused("it can't be loaded", loading, failure("network")),
    answered("it is saved", saving, () => tasks),
    refused("it can't be saved", saving, failure("network")),
    refused("it is gone", saving, failure("notFound")),
    said({ type: "progress.came", progress: { done: 1, total: 2 } }, making),
    said({ type: "point.came", point }, making),
    said({ type: "insight.came", insight: tasks }, making),
    said({ type: "making.failed", code: "chatFailed" }, making),
    outage(said({ type: "making.failed", code: "network" }, making, "the answer breaks off")),
  ],
  situation: (harness) => [
    context(harness).model !== null,
    context(harness).insights.length,
    context(harness).insights[0]?.points[0]?.task?.done,
    context(harness).changes.map(({ change }) => change === null),
    context(harness).points.length > 0,
    selectFailure(harness.actor.getSnapshot()),
  ],
  rules: {
    "one call that changes something at a time": ({ load, save }) => load.open().length + save.open().length <= 1,
    "the server works as long as the page waits for it": ({ actor, make }) =>
      selectIsMaking(actor.getSnapshot()) === make.running() > 0,
    "there is one list of tasks at most": (harness) => context(harness).insights.length <= 1,
    "what is complete is among the results": (harness) =>
      selectPhase(harness.actor.getSnapshot(), "tasks") !== "made" || context(harness).points.length === 0,
    "what was changed is saved": (harness) =>
      context(harness).changes.length === 0 || harness.save.open().length === 1 || harness.load.open().length === 1,
  },
});
