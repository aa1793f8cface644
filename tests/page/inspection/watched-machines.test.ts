import { describe, expect, onTestFinished, test, vi } from "vitest";
import { type AnyStateNode, createActor, createMachine, fromPromise } from "xstate";
import { isActive, statesOf, transitionKey } from "#machines/inspection/rules.ts";
import { sessionMachine } from "#machines/session/machine.ts";
import { transcriptionsMachine } from "#machines/transcriptions/machine.ts";
import { uploadMachine } from "#machines/uploads/upload.ts";
import { findMachines } from "#scripts/machines.ts";
import { broadcastMachines, keyOf } from "#src/features/inspection/broadcast.ts";
import { channelName, type WatchedEvent } from "#src/features/inspection/channel.ts";
import { definitionOf as definitionOfActor } from "#src/features/inspection/definition.ts";
import { readChart, valueText } from "#src/features/inspection/watched-chart.ts";
import { withEvent } from "#src/features/inspection/watched-machines.ts";
import { until } from "#tests/fixtures/until.ts";

const definitionOf = (logic: object) => definitionOfActor({ logic }) ?? "";

describe("chart of a watched machine", () => {
  const chart = readChart(definitionOf(uploadMachine));

  test("a chart contains the nested states with their actors and transitions", () => {
    expect(chart?.states.map(({ key }) => key)).toEqual(Object.keys(uploadMachine.root.states));
    const sending = chart?.states.find(({ key }) => key === "sending");
    const uploading = sending?.states.find(({ key }) => key === "uploading");
    expect(uploading?.path).toEqual(["sending", "uploading"]);
    expect(uploading?.runs).toEqual(["transfer"]);
    expect(uploading?.transitions).toContainEqual(
      expect.objectContaining({
        kind: "failed",
        event: "transfer",
        guard: "isSignedOut",
        target: "waitingForSignIn",
        targets: [["sending", "waitingForSignIn"]],
      }),
    );
    const waiting = sending?.states.find(({ key }) => key === "waitingForServer");
    expect(waiting?.transitions).toContainEqual(
      expect.objectContaining({ kind: "after", event: "backOff", guard: "", targets: [["sending", "uploading"]] }),
    );
  });

  test("a chart names combined guards and no minified function", () => {
    const token = readChart(definitionOf(sessionMachine))?.states.find(({ key }) => key === "token");
    const valid = token?.states.find(({ key }) => key === "valid");
    expect(valid?.transitions).toContainEqual(
      expect.objectContaining({ kind: "always", event: "", guard: "¬ isValid", target: "checking" }),
    );
  });

  test("lists the inner machine's events that a machine receives", () => {
    const heard = expect.objectContaining({
      kind: "event",
      event: "xstate.snapshot.filters",
      guard: "",
      target: "",
      targets: [],
    });
    expect(readChart(definitionOf(transcriptionsMachine))?.transitions).toContainEqual(heard);
  });

  test("a statechart's drawing has parallel regions", () => {
    expect(readChart(definitionOf(sessionMachine))?.isParallel).toBe(true);
  });

  test.each([undefined, "", "not JSON", "[]", '{"id":"a promise"}'])("a statechart is not available for %s", (definition) => {
    expect(readChart(definition)).toBeUndefined();
  });
});

test("marks a state as active by the snapshot's value", () => {
  const value = { token: "valid", refresh: { waiting: "long" } };
  expect(isActive(value, ["token", "valid"])).toBe(true);
  expect(isActive(value, ["token", "expired"])).toBe(false);
  expect(isActive(value, ["refresh"])).toBe(true);
  expect(isActive(value, ["refresh", "waiting", "long"])).toBe(true);
  expect(isActive("idle", ["idle", "inside"])).toBe(false);
  expect(valueText(value)).toBe("token: valid, refresh (waiting: long)");
  // The value arrives sorted by name; the text follows the order of the chart.
  const sorted = { backOff: "counting", leaving: "staying", profile: "known", refresh: "idle", token: "valid" };
  expect(valueText(sorted, readChart(definitionOf(sessionMachine)))).toBe(
    "token: valid, refresh: idle, backOff: counting, leaving: staying, profile: known",
  );
});

test("names each transition of each machine in the same way in chart and events", async () => {
  const nodesOf = (node: AnyStateNode): AnyStateNode[] => [node, ...Object.values(node.states).flatMap(nodesOf)];
  for (const { machine } of await findMachines()) {
    const chart = readChart(definitionOf(machine));
    const drawn = (chart === undefined ? [] : statesOf(chart)).flatMap(({ path, transitions }) =>
      transitions.map(({ id }) => transitionKey(path, id)),
    );
    const taken = nodesOf(machine.root).flatMap(({ transitions, always = [] }) => [...transitions.values(), always].flat());
    expect(taken.flatMap(keyOf).toSorted(), machine.id).toEqual(drawn.toSorted());
    const leads = (chart === undefined ? [] : statesOf(chart)).flatMap(({ transitions }) =>
      transitions.flatMap(({ targets }) => targets),
    );
    const known = new Set(nodesOf(machine.root).map(({ path }) => path.join(".")));
    expect(
      leads.filter((path) => !known.has(path.join("."))),
      machine.id,
    ).toEqual([]);
  }
});

test("posts events with their transitions, and nothing that is no machine", async () => {
  const heard: unknown[] = [];
  const channel = new BroadcastChannel(channelName);
  channel.addEventListener("message", ({ data }) => heard.push(data.event));
  onTestFinished(() => {
    channel.close();
    vi.unstubAllGlobals();
  });
  vi.stubGlobal("addEventListener", () => {});
  const inspect = broadcastMachines({ opens: false });
  const light = createMachine({
    id: "light",
    initial: "red",
    states: {
      red: { on: { "time.passed": "green" } },
      green: { always: { target: "blinking" } },
      blinking: { on: { "time.passed": { target: "red" } } },
    },
  });
  createActor(
    fromPromise(async () => 1),
    { inspect },
  ).start();
  const actor = createActor(light, { inspect }).start();
  actor.send({ type: "time.passed" });
  actor.send({ type: "time.passed" });
  actor.send({ type: "nothing.known" });
  await until(() => expect(heard).toHaveLength(4));
  expect(heard).toMatchObject([
    { type: "created", snapshot: { value: "red" } },
    { type: "happened", event: { type: "time.passed" }, taken: ["red|time.passed/0", "green|always/0"] },
    { type: "happened", event: { type: "time.passed" }, taken: ["blinking|time.passed/0"] },
    { type: "happened", event: { type: "nothing.known" }, taken: [] },
  ]);
  actor.stop();
});

describe("watched machine", () => {
  const common = { sessionId: "p x:0", at: 1_000 };
  const made: WatchedEvent = {
    ...common,
    type: "created",
    definition: definitionOf(uploadMachine),
    snapshot: { status: "active", value: "checking" },
  };
  const moved = (status: string): WatchedEvent => ({
    ...common,
    type: "happened",
    event: { type: "slot.given", replay: 7 },
    snapshot: { status, value: "completed", context: { attempts: 1 } },
    taken: ["checking|slot.given/0"],
  });

  test("the watched machine is listed once with all its events", () => {
    const machines = [made, made, moved("active")].reduce(withEvent, []);
    expect(machines).toHaveLength(1);
    expect(machines[0]?.happenings.map(({ type, value, replay }) => [type, value, replay])).toEqual([
      ["", "checking", undefined],
      ["slot.given", "completed", 7],
    ]);
    expect(machines[0]?.happenings.at(-1)?.event).toEqual({ type: "slot.given" });
    expect(machines[0]?.happenings.map(({ taken }) => taken)).toEqual([[], ["checking|slot.given/0"]]);
  });

  test("the watched machine stays listed after its end, marked as ended", () => {
    expect([made, moved("done")].reduce(withEvent, [])[0]?.isRunning).toBe(false);
  });

  test("a watched machine keeps its creation however many events follow", () => {
    const machines = [made, ...Array.from({ length: 700 }, () => moved("active"))].reduce(withEvent, []);
    expect(machines[0]?.happenings).toHaveLength(500);
    expect(machines[0]?.happenings[0]?.type).toBe("");
  });

  test("the watched machine is skipped if it is no machine", () => {
    expect(withEvent([], { ...made, definition: '{"id":"x"}' })).toEqual([]);
  });
});
