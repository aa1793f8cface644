import { describe, expect, test } from "vitest";
import { createActor } from "xstate";
import type { Insight, InsightMaking, InsightRequest, InsightsAnswer, Point } from "#contract/index.ts";
import type { InsightChange } from "#machines/insights/events.ts";
import { insightsMachine } from "#machines/insights/machine.ts";
import {
  selectAskableAt,
  selectAsked,
  selectFailure,
  selectInsights,
  selectIsLoading,
  selectIsMaking,
  selectLoadError,
  selectModel,
  selectPhase,
  selectPoints,
  selectProgress,
  selectRequest,
} from "#machines/insights/selectors.ts";
import { answering, stopsAfterTest, talking } from "#tests/machines/harness.ts";

const model = { name: "small", host: "localhost:11434", offline: true };
const point: Point = { text: "They speak.", spans: [[0, 3]] };
const request: InsightRequest = { kind: "summary", template: "meeting", language: null };
const insight = (id: string, parts: Partial<Insight> = {}): Insight => ({
  id,
  kind: "summary",
  template: "meeting",
  question: null,
  points: [point],
  omitted: 0,
  model: "small",
  createdAt: "2026-03-01T12:00:00.000Z",
  outdated: false,
  ...parts,
});
const tasks = insight("tasks", {
  kind: "tasks",
  points: [
    { ...point, text: "Print it", task: { owner: null, due: null, done: false } },
    { ...point, text: "Send it", task: { owner: "Anna", due: "2026-03-06", done: false } },
  ],
});

function setUp() {
  const load = answering<InsightsAnswer, { id: string }>();
  const save = answering<Insight | null, { id: string } & InsightChange>();
  const make = talking<InsightMaking, InsightMaking, { id: string; request: InsightRequest }>();
  const machine = insightsMachine.provide({ actors: { load: load.logic, save: save.logic, make: make.logic } });
  const actor = stopsAfterTest(createActor(machine, { input: { id: "t1" } }));
  const failed: string[] = [];
  actor.on("change.failed", ({ code }) => failed.push(code));
  actor.start();
  return {
    load,
    save,
    make,
    failed,
    send: actor.send.bind(actor),
    get: <T>(select: (snapshot: ReturnType<typeof actor.getSnapshot>) => T) => select(actor.getSnapshot()),
  };
}

async function ready(insights: Insight[] = [], withModel = true) {
  const rig = setUp();
  await rig.load.last().resolve({ model: withModel ? model : null, insights });
  return rig;
}

const phaseOf = ({ get }: ReturnType<typeof setUp>) => get((snapshot) => selectPhase(snapshot, "summary"));
const doneOf = ({ get }: ReturnType<typeof setUp>) =>
  get(selectInsights).flatMap(({ points }) => points.map(({ task }) => task?.done));

describe("what there is", () => {
  test("is loaded, again after a failure", async () => {
    const { load, get, send } = setUp();
    expect([get(selectIsLoading), load.inputs()]).toEqual([true, [{ id: "t1" }]]);
    await load.last().reject("network");
    expect([get(selectIsLoading), get(selectLoadError)]).toEqual([false, "network"]);
    send({ type: "reload.requested" });
    await load.last().resolve({ model, insights: [tasks] });
    expect([get(selectLoadError), get(selectModel), get(selectInsights)]).toEqual([null, model, [tasks]]);
  });

  test("is shown without a model, too, and nothing is made then", async () => {
    const rig = await ready([tasks], false);
    rig.send({ type: "insight.requested", request });
    expect([rig.get(selectInsights), rig.get(selectIsMaking), rig.make.starts()]).toEqual([[tasks], false, 0]);
  });
});

describe("making", () => {
  test("shows what comes, and puts the result in the place of the one before", async () => {
    const rig = await ready([insight("old"), tasks]);
    const { send, make, get } = rig;
    expect(phaseOf(rig)).toBeNull();
    send({ type: "insight.requested", request });
    expect([make.input(), get(selectIsMaking), phaseOf(rig)]).toEqual([{ id: "t1", request }, true, "making"]);
    make.say({ type: "progress.came", progress: { done: 1, total: 3 } });
    make.say({ type: "point.came", point });
    expect([get(selectProgress), get(selectPoints)]).toEqual([{ done: 1, total: 3 }, [point]]);
    // One at a time.
    send({ type: "insight.requested", request: { kind: "tasks", language: null } });
    expect([make.starts(), get(selectRequest)]).toEqual([1, request]);
    make.say({ type: "insight.came", insight: insight("new") });
    expect([phaseOf(rig), get(selectPoints), get(selectInsights).map(({ id }) => id)]).toEqual(["made", [], ["tasks", "new"]]);
    expect(make.isRunning()).toBe(false);
  });

  test("keeps all answers", async () => {
    const { send, make, get } = await ready([insight("a1", { kind: "answer", question: "Why?" })]);
    send({ type: "insight.requested", request: { kind: "answer", question: "Who?", language: "de" } });
    make.say({ type: "insight.came", insight: insight("a2", { kind: "answer", question: "Who?" }) });
    expect(get(selectInsights).map(({ id }) => id)).toEqual(["a1", "a2"]);
  });

  test("is stopped: the server hears of it, and what came stays on the page", async () => {
    const rig = await ready();
    rig.send({ type: "insight.requested", request });
    rig.make.say({ type: "point.came", point });
    rig.send({ type: "stop.requested" });
    expect([rig.make.isRunning(), phaseOf(rig), rig.get(selectPoints)]).toEqual([false, "stopped", [point]]);
    rig.send({ type: "insight.requested", request });
    expect([phaseOf(rig), rig.get(selectPoints)]).toEqual(["making", []]);
  });

  test("that fails says why, until it is tried again", async () => {
    const rig = await ready([insight("old")]);
    rig.send({ type: "insight.requested", request });
    rig.make.say({ type: "making.failed", code: "chatFailed" });
    expect([phaseOf(rig), rig.get(selectFailure), rig.get(selectInsights).length]).toEqual(["failed", "chatFailed", 1]);
    rig.send({ type: "insight.requested", request });
    expect(rig.get(selectFailure)).toBeNull();
    rig.make.say({ type: "making.failed", code: "tooManyRequests", until: 5_000 });
    expect([rig.get(selectFailure), rig.get(selectAskableAt)]).toEqual(["tooManyRequests", 5_000]);
    rig.send({ type: "insight.requested", request });
    expect(rig.get(selectAskableAt)).toBeNull();
  });
});

describe("a change", () => {
  test("is shown at once and saved in its turn, while something is made", async () => {
    const rig = await ready([tasks]);
    const { send, save } = rig;
    send({ type: "insight.requested", request });
    send({ type: "task.changed", insight: "tasks", change: { index: 0, done: true } });
    send({ type: "task.changed", insight: "tasks", change: { index: 1, text: "Send all", owner: null, due: null } });
    expect(doneOf(rig)).toEqual([true, false]);
    expect(rig.get(selectInsights)[0]?.points[1]).toEqual({
      ...point,
      text: "Send all",
      task: { owner: null, due: null, done: false },
    });
    expect(save.inputs()).toEqual([{ id: "t1", insight: "tasks", change: { index: 0, done: true } }]);
    await save.last().resolve(tasks);
    expect(save.inputs().length).toBe(2);
    await save.last().resolve(tasks);
    expect([doneOf(rig), rig.get(selectIsMaking)]).toEqual([[true, false], true]);
  });

  test("that can't be saved is said, and the page shows what the server has", async () => {
    const rig = await ready([tasks]);
    rig.send({ type: "task.changed", insight: "tasks", change: { index: 0, done: true } });
    await rig.save.last().reject("network");
    expect([rig.failed, rig.load.asked.length]).toEqual([["network"], 2]);
    await rig.load.last().resolve({ model, insights: [tasks] });
    expect(doneOf(rig)).toEqual([false, false]);
    rig.send({ type: "task.changed", insight: "tasks", change: { index: 1, done: true } });
    await rig.save.last().reject("network");
    await rig.load.last().reject("network");
    expect(rig.failed).toEqual(["network", "network"]);
  });

  test("of what is gone meanwhile needs no word", async () => {
    const rig = await ready([tasks, insight("s")]);
    rig.send({ type: "deletion.requested", insight: "s" });
    rig.send({ type: "deletion.cancelled" });
    rig.send({ type: "deletion.confirmed" });
    expect(rig.save.asked).toEqual([]);
    rig.send({ type: "deletion.requested", insight: "s" });
    expect(rig.get(selectAsked)).toBe("s");
    rig.send({ type: "deletion.confirmed" });
    expect(rig.get(selectAsked)).toBeNull();
    expect([rig.get(selectInsights), rig.save.inputs()]).toEqual([[tasks], [{ id: "t1", insight: "s", change: null }]]);
    await rig.save.last().reject("notFound");
    await rig.load.last().resolve({ model, insights: [tasks] });
    expect([rig.failed, rig.get(selectInsights)]).toEqual([[], [tasks]]);
  });
});
