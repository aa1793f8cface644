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
  const harness = setUp();
  await harness.load.last().resolve({ model: withModel ? model : null, insights });
  return harness;
}

const phaseOf = ({ get }: ReturnType<typeof setUp>) => get((snapshot) => selectPhase(snapshot, "summary"));
const doneOf = ({ get }: ReturnType<typeof setUp>) =>
  get(selectInsights).flatMap(({ points }) => points.map(({ task }) => task?.done));

describe("stored insights", () => {
  test("loads the insights, and again after a failure", async () => {
    const { load, get, send } = setUp();
    expect([get(selectIsLoading), load.inputs()]).toEqual([true, [{ id: "t1" }]]);
    await load.last().reject("network");
    expect([get(selectIsLoading), get(selectLoadError)]).toEqual([false, "network"]);
    send({ type: "reload.requested" });
    await load.last().resolve({ model, insights: [tasks] });
    expect([get(selectLoadError), get(selectModel), get(selectInsights)]).toEqual([null, model, [tasks]]);
  });

  test("shows stored insights without a model, but makes no new ones", async () => {
    const harness = await ready([tasks], false);
    harness.send({ type: "insight.requested", request });
    expect([harness.get(selectInsights), harness.get(selectIsMaking), harness.make.starts()]).toEqual([[tasks], false, 0]);
  });
});

describe("making of an insight", () => {
  test("shows a result as it streams in, and replaces the earlier one", async () => {
    const harness = await ready([insight("old"), tasks]);
    const { send, make, get } = harness;
    expect(phaseOf(harness)).toBeNull();
    send({ type: "insight.requested", request });
    expect([make.input(), get(selectIsMaking), phaseOf(harness)]).toEqual([{ id: "t1", request }, true, "making"]);
    make.say({ type: "progress.came", progress: { done: 1, total: 3 } });
    make.say({ type: "point.came", point });
    expect([get(selectProgress), get(selectPoints)]).toEqual([{ done: 1, total: 3 }, [point]]);
    // One request at a time.
    send({ type: "insight.requested", request: { kind: "tasks", language: null } });
    expect([make.starts(), get(selectRequest)]).toEqual([1, request]);
    make.say({ type: "insight.came", insight: insight("new") });
    expect([phaseOf(harness), get(selectPoints), get(selectInsights).map(({ id }) => id)]).toEqual([
      "made",
      [],
      ["tasks", "new"],
    ]);
    expect(make.isRunning()).toBe(false);
  });

  test("keeps the answers to all questions about a transcript", async () => {
    const { send, make, get } = await ready([insight("a1", { kind: "answer", question: "Why?" })]);
    send({ type: "insight.requested", request: { kind: "answer", question: "Who?", language: "de" } });
    make.say({ type: "insight.came", insight: insight("a2", { kind: "answer", question: "Who?" }) });
    expect(get(selectInsights).map(({ id }) => id)).toEqual(["a1", "a2"]);
  });

  test("stops a result on the server and keeps what arrived on the page", async () => {
    const harness = await ready();
    harness.send({ type: "insight.requested", request });
    harness.make.say({ type: "point.came", point });
    harness.send({ type: "stop.requested" });
    expect([harness.make.isRunning(), phaseOf(harness), harness.get(selectPoints)]).toEqual([false, "stopped", [point]]);
    harness.send({ type: "insight.requested", request });
    expect([phaseOf(harness), harness.get(selectPoints)]).toEqual(["making", []]);
  });

  test("shows why a result failed until it is retried", async () => {
    const harness = await ready([insight("old")]);
    harness.send({ type: "insight.requested", request });
    harness.make.say({ type: "making.failed", code: "chatFailed" });
    expect([phaseOf(harness), harness.get(selectFailure), harness.get(selectInsights).length]).toEqual([
      "failed",
      "chatFailed",
      1,
    ]);
    harness.send({ type: "insight.requested", request });
    expect(harness.get(selectFailure)).toBeNull();
    harness.make.say({ type: "making.failed", code: "tooManyRequests", until: 5_000 });
    expect([harness.get(selectFailure), harness.get(selectAskableAt)]).toEqual(["tooManyRequests", 5_000]);
    harness.send({ type: "insight.requested", request });
    expect(harness.get(selectAskableAt)).toBeNull();
  });
});

describe("change of an insight", () => {
  test("shows a change at once and saves it in order, even while a result is made", async () => {
    const harness = await ready([tasks]);
    const { send, save } = harness;
    send({ type: "insight.requested", request });
    send({ type: "task.changed", insight: "tasks", change: { index: 0, done: true } });
    send({ type: "task.changed", insight: "tasks", change: { index: 1, text: "Send all", owner: null, due: null } });
    expect(doneOf(harness)).toEqual([true, false]);
    expect(harness.get(selectInsights)[0]?.points[1]).toEqual({
      ...point,
      text: "Send all",
      task: { owner: null, due: null, done: false },
    });
    expect(save.inputs()).toEqual([{ id: "t1", insight: "tasks", change: { index: 0, done: true } }]);
    await save.last().resolve(tasks);
    expect(save.inputs().length).toBe(2);
    await save.last().resolve(tasks);
    expect([doneOf(harness), harness.get(selectIsMaking)]).toEqual([[true, false], true]);
  });

  test("reports a change that can't be saved and shows the server's state", async () => {
    const harness = await ready([tasks]);
    harness.send({ type: "task.changed", insight: "tasks", change: { index: 0, done: true } });
    await harness.save.last().reject("network");
    expect([harness.failed, harness.load.asked.length]).toEqual([["network"], 2]);
    await harness.load.last().resolve({ model, insights: [tasks] });
    expect(doneOf(harness)).toEqual([false, false]);
    harness.send({ type: "task.changed", insight: "tasks", change: { index: 1, done: true } });
    await harness.save.last().reject("network");
    await harness.load.last().reject("network");
    expect(harness.failed).toEqual(["network", "network"]);
  });

  test("ignores changes of a deleted insight", async () => {
    const harness = await ready([tasks, insight("s")]);
    harness.send({ type: "deletion.requested", insight: "s" });
    harness.send({ type: "deletion.cancelled" });
    harness.send({ type: "deletion.confirmed" });
    expect(harness.save.asked).toEqual([]);
    harness.send({ type: "deletion.requested", insight: "s" });
    expect(harness.get(selectAsked)).toBe("s");
    harness.send({ type: "deletion.confirmed" });
    expect(harness.get(selectAsked)).toBeNull();
    expect([harness.get(selectInsights), harness.save.inputs()]).toEqual([[tasks], [{ id: "t1", insight: "s", change: null }]]);
    await harness.save.last().reject("notFound");
    await harness.load.last().resolve({ model, insights: [tasks] });
    expect([harness.failed, harness.get(selectInsights)]).toEqual([[], [tasks]]);
  });
});
