import ElkConstructor from "elkjs/lib/elk.bundled.js";
import { describe, expect, test } from "vitest";
import type { Box, Drawing } from "#machines/inspection/drawing.ts";
import { type ChartState, pathKey, statesOf, unfoldedPaths } from "#machines/inspection/rules.ts";
import { findMachines } from "#scripts/machines.ts";
import { definitionOf } from "#src/features/inspection/definition.ts";
import { draw } from "#src/features/inspection/drawing.ts";
import type { Lettering } from "#src/features/inspection/drawing-graph.ts";
import { readChart } from "#src/features/inspection/watched-chart.ts";
import { chartState, door } from "#tests/machines/inspection/harness.ts";

const elk = new ElkConstructor();
/** Approximates the widths of the page's font. */
const lettering: Lettering = {
  widthOf: (text, tone) => Math.ceil(text.length * (tone === "name" ? 8 : 6.4)) + 2,
  eventText: ({ kind, event }) => (kind === "event" ? event : `${kind} ${event}`),
  activityTexts: ({ entry, runs }) => [...entry.map((name) => `entry ${name}`), ...runs.map((name) => `runs ${name}`)],
  anywhere: "anywhere",
  more: (count) => `${count} more`,
};

const overlaps = (one: Box, other: Box): boolean =>
  one.x < other.x + other.width - 1 &&
  other.x < one.x + one.width - 1 &&
  one.y < other.y + other.height - 1 &&
  other.y < one.y + one.height - 1;
const isWithin = (inner: Box, outer: Box): boolean =>
  inner.x >= outer.x - 1 &&
  inner.y >= outer.y - 1 &&
  inner.x + inner.width <= outer.x + outer.width + 1 &&
  inner.y + inner.height <= outer.y + outer.height + 1;

/** The initial value of a machine. */
function firstValue(state: ChartState): unknown {
  const inside = (one: ChartState) => (one.states.length === 0 ? {} : firstValue(one));
  if (state.isParallel) return Object.fromEntries(state.states.map((one) => [one.key, inside(one)]));
  const first = state.states.find(({ key }) => key === state.initial);
  return first === undefined || first.states.length === 0 ? state.initial : { [first.key]: firstValue(first) };
}

const boxOf = (drawing: Drawing, path: string) => drawing.states.find(({ state }) => pathKey(state.path) === path);
const arrowFor = (drawing: Drawing, event: string) => drawing.arrows.find(({ rows }) => rows.some(({ text }) => text === event));

describe("drawing of a machine", () => {
  test("shows the inside of the active branch, and each other state as one box with an arrow", async () => {
    const drawing = await draw(elk, { chart: door, unfolded: ["", "closed"] }, lettering);
    expect(drawing.states.map(({ state, isUnfolded }) => [pathKey(state.path), isUnfolded])).toEqual([
      ["", true],
      ["closed", true],
      ["closed.locked", false],
      ["closed.unlocked", false],
      ["open", false],
    ]);
    expect(boxOf(drawing, "open.ajar")).toBeUndefined();
    // An arrow into a folded state ends at its box and keeps its own transition.
    const arrow = arrowFor(drawing, "handle.pressed");
    expect(arrow?.id).toBe("state:closed.unlocked > state:open");
    expect(arrow?.transitions).toEqual(["closed.unlocked|handle.pressed/0"]);
    expect(arrow?.points.length).toBeGreaterThan(1);
  });

  test("names guards and actions on arrows, and internal transitions in a state's box", async () => {
    const [event, targets] = [{ kind: "event", event: "bell.rung" } as const, [["loud"]]];
    const stays = { ...event, id: "bell.rung/1", guard: "", actions: ["count"], target: "", targets: [] };
    const leaves = { ...event, id: "bell.rung/0", guard: "isNight", actions: ["wake", "swear"], target: "loud", targets };
    const bell = chartState([], {
      initial: "quiet",
      states: [chartState(["quiet"], { runs: ["clock"], transitions: [leaves, stays] }), chartState(["loud"], { isFinal: true })],
    });
    const drawing = await draw(elk, { chart: bell, unfolded: [""] }, lettering);
    expect(drawing.arrows.map(({ rows }) => rows.map(({ text }) => text))).toContainEqual([
      "bell.rung [isNight]",
      "/ wake, swear",
    ]);
    expect(boxOf(drawing, "quiet")?.rows.map(({ text }) => text)).toEqual(["runs clock", "bell.rung", "/ count"]);
  });

  test("starts an arrow out of a region at its border, with its source", async () => {
    const out = {
      id: "fire/0",
      kind: "event",
      event: "fire",
      guard: "",
      actions: [],
      target: "out",
      targets: [["out"]],
    } as const;
    const house = chartState([], {
      initial: "home",
      states: [
        chartState(["home"], {
          isParallel: true,
          states: [
            chartState(["home", "cellar"], {
              initial: "dry",
              states: [chartState(["home", "cellar", "dry"], { transitions: [out] })],
            }),
            chartState(["home", "attic"]),
          ],
        }),
        chartState(["out"]),
      ],
    });
    const drawing = await draw(elk, { chart: house, unfolded: ["", "home", "home.cellar"] }, lettering);
    expect(arrowFor(drawing, "cellar.dry: fire")?.id).toBe("state:home > state:out");
  });

  test("fits every large machine: boxes in their states, and no text over another", async () => {
    const machines = await findMachines();
    const charts = machines.flatMap(({ machine }) => readChart(definitionOf({ logic: machine })) ?? []);
    const large = charts.filter((chart) => statesOf(chart).length >= 16);
    expect(large.length).toBeGreaterThan(5);
    for (const chart of large) {
      const unfolded = unfoldedPaths(chart, { value: firstValue(chart), chosen: {}, term: "" });
      const drawing = await draw(elk, { chart, unfolded }, lettering);
      const leaves = drawing.states.filter(({ isUnfolded }) => !isUnfolded);
      const labels = drawing.arrows.filter(({ rows }) => rows.length > 0);
      for (const drawn of drawing.states) {
        const outer = drawn.state.path.length === 0 ? undefined : boxOf(drawing, pathKey(drawn.state.path.slice(0, -1)));
        expect(outer === undefined || isWithin(drawn, outer), `${chart.key}: ${pathKey(drawn.state.path)}`).toBe(true);
      }
      for (const [index, { id, label }] of labels.entries()) {
        const covered = labels.slice(index + 1).filter((other) => overlaps(label, other.label));
        expect(covered.map((other) => [chart.key, id, other.id])).toEqual([]);
        expect(leaves.filter((leaf) => overlaps(label, leaf)).map(({ state }) => [chart.key, id, state.key])).toEqual([]);
      }
    }
  });
});
