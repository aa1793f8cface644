import { expect, type TaskMeta, test } from "vitest";
import type { EventObject } from "xstate";
import { type AdjacencyMap, adjacencyMapToArray, getAdjacencyMap, getSimplePaths } from "xstate/graph";
import { timeLimit } from "#tests/fixtures/time-limit.ts";
import { Coverage } from "./harness-coverage.ts";
import { createExplorer, type Situation } from "./harness-explorer.ts";
import { endureOutages, Graph, outageTitle } from "./harness-outage.ts";
import { randomTitle, walkAtRandom } from "./harness-random.ts";
import { checkRules, createRun, type Harness, situationOf, type Walk } from "./harness-run.ts";

export type { Harness, Move, RunOptions, Walk } from "./harness-run.ts";

declare module "vitest" {
  interface TaskMeta {
    walk?: WalkReport;
  }
}

export interface WalkReport {
  machine: string;
  states: string;
  transitions: string;
  paths: number;
  steps: number;
}

/** Most steps of the making of paths: a walk that does not end is a situation that distinguishes too much. */
const limit = 60_000;

/** The ms for all situations: tens of seconds of work for the largest machine. */
const outageLimit = timeLimit(1_500_000);

/**
 * Creates the tests of one machine: its paths are generated, walked on live actors, and counted; more are walked at
 * random. If WALKS is "outages" (tests/grown/properties), an outage of the network in each state instead.
 */
export function walkTests<H extends Harness>(walk: Walk<H>): void {
  if (process.env.WALKS !== "outages") {
    systematicTest(walk);
    test(`${walk.machine.id}: ${randomTitle}`, () => walkAtRandom(walk));
  } else if (walk.isLocal === undefined) {
    test(`${walk.machine.id}: ${outageTitle}`, { timeout: outageLimit }, () => {
      const graph = new Graph();
      pathsThrough(walk, graph);
      endureOutages(walk, graph);
    });
  }
}

function systematicTest<H extends Harness>(walk: Walk<H>): void {
  test(`${walk.machine.id}: every path keeps the rules, and every state and transition is walked`, async ({ task }) => {
    const coverage = new Coverage(walk.machine);
    const totals = { paths: 0, steps: 0 };
    const replay = createReplay(walk, coverage);
    for (const { start, steps, lookAt } of pathsThrough(walk)) {
      await replay(start, steps, lookAt);
      totals.paths += 1;
      totals.steps += steps.length;
    }
    report(task.meta, walk, coverage, totals);
  });
}

/** A way through a machine: the moves, by name, from one of the walk's beginnings. */
interface Path {
  start: string;
  steps: readonly string[];
  /** The situation after some steps from that start. */
  lookAt(steps: readonly string[]): Situation;
}

/**
 * All paths of a walk.
 * @param graph receives the situations
 */
function pathsThrough<H extends Harness>(walk: Walk<H>, graph?: Graph): Path[] {
  const seen = new Set<string>();
  return (walk.starts ?? ["the beginning"]).flatMap((start) => {
    const explorer = createExplorer(walk, start);
    return pathsOf(walk, explorer, seen, (map) => graph?.add(start, map)).map((steps) => ({
      start,
      steps,
      lookAt: explorer.lookAt,
    }));
  });
}

/**
 * Paths, as names of moves, that together take every step from every situation that is not in `seen`, and add it there.
 * No path is the beginning of another.
 */
function pathsOf<H extends Harness>(
  walk: Walk<H>,
  { logic, options }: Explorer<H>,
  seen: Set<string>,
  note: (map: AdjacencyMap<Situation, EventObject>) => void,
): readonly (readonly string[])[] {
  const limited = { ...options, limit, stopWhen: ({ key }: Situation) => seen.has(key) };
  const map = getAdjacencyMap(logic, limited);
  note(map);
  const steps = adjacencyMapToArray(map);
  const simple = walk.simple
    ? getSimplePaths(logic, limited).map(({ steps: all }) => all.slice(1).map(({ event }) => event.type))
    : [];
  const ways = [...steps.map(({ nextState }) => nextState.steps), ...simple].map((way) => way.join("\n")).sort();
  for (const { state } of steps) seen.add(state.key);
  return ways.filter((way, index) => way !== ways[index + 1] && !ways[index + 1]?.startsWith(`${way}\n`)).map(movesOf);
}

type Explorer<H extends Harness> = ReturnType<typeof createExplorer<H>>;
const movesOf = (way: string): string[] => way.split("\n").filter((name) => name !== "");

/** Walks one path on a live actor with promises that are answered in time, on a clock that only the walk moves. */
function createReplay<H extends Harness>(walk: Walk<H>, coverage: Coverage) {
  const run = createRun(walk, "deferred", coverage);
  return async (start: string, steps: readonly string[], lookAt: (steps: readonly string[]) => Situation) => {
    const { harness, clock, move, stop } = run(start);
    await settled();
    for (const [index, name] of steps.entries()) {
      move(name);
      await settled();
      const way = steps.slice(0, index + 1);
      checkRules(walk, harness, clock, way);
      // The live actor must reach the situation of the generated path.
      if (situationOf(walk, harness, clock) !== lookAt(way).key)
        expect.fail(`${way.join(" → ")}: went to ${situationOf(walk, harness, clock)}, not to ${lookAt(way).key}`);
    }
    stop();
  };
}

function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

function report<H extends Harness>(
  meta: TaskMeta,
  walk: Walk<H>,
  coverage: Coverage,
  totals: { paths: number; steps: number },
): void {
  const { states, transitions } = coverage.result();
  meta.walk = {
    machine: walk.machine.id,
    states: `${states.walked}/${states.all}`,
    transitions: `${transitions.walked}/${transitions.all}`,
    ...totals,
  };
  const missed = [...states.missed, ...transitions.missed];
  const excused = Object.keys(walk.unreachable ?? {});
  const wrong = [
    ...missed.filter((name) => !excused.includes(name)).map((name) => `never walked: ${name}`),
    ...excused.filter((name) => !missed.includes(name)).map((name) => `walked, though it is said to be unreachable: ${name}`),
  ];
  if (wrong.length > 0) expect.fail(wrong.join("\n"));
}
