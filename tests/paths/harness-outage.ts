import * as v from "valibot";
import { expect } from "vitest";
import type { EventObject, StateValue } from "xstate";
import { type AdjacencyMap, adjacencyMapToArray } from "xstate/graph";
import { fuzz } from "#tests/fixtures/fuzz.ts";
import type { Situation } from "./harness-explorer.ts";
import { checkRules, createRun, type Harness, type Move, situationOf, type Walk } from "./harness-run.ts";
import type { WalkClock } from "./harness-stubs.ts";

// Tests a machine without a network for a while, from each of its states.

/** The length of the outage, and the time after which a call without an answer fails (src/api/http.ts), in ms. */
const outageMs = 30_000;
const unansweredMs = 15_000;
/** The maximum number of calls in that time: more would overload the server. */
const maxCalls = 60;
/** The number of situations per state: `FUZZ_FACTOR=1000` takes all of them. */
const perState = 4 * fuzz.factor;

export const outageTitle = "in every state, 30 s without network lose nothing, and there is a way on";

interface Node {
  situation: Situation;
  start: string;
  /** The situation after each move. */
  next: Map<string, string>;
}

/** The result of a walk: each situation with its path, and the situations after its moves. */
export class Graph {
  readonly #nodes = new Map<string, Node>();
  readonly #states = new Map<string, readonly string[]>();
  readonly #reached = new Map<string, ReadonlySet<string>>();

  /** Adds the situations from one start. */
  add(start: string, map: AdjacencyMap<Situation, EventObject>): void {
    const nodeOf = (situation: Situation) => {
      const node = this.#nodes.get(situation.key) ?? { situation, start, next: new Map<string, string>() };
      this.#nodes.set(situation.key, node);
      return node;
    };
    for (const { state, event, nextState } of adjacencyMapToArray(map)) {
      nodeOf(state).next.set(event.type, nextState.key);
      // The last ones lead nowhere.
      nodeOf(nextState);
    }
  }

  /** Some situations of each state, spread over all known ones. */
  sample(most: number): Node[] {
    const byState = Map.groupBy(this.#nodes.values(), ({ situation }) => this.statesOf(situation.key).join());
    return [...byState.values()].flatMap((nodes) => nodes.filter((_, index) => (index * most) % nodes.length < most));
  }

  get isEmpty(): boolean {
    return this.#nodes.size === 0;
  }

  has(key: string): boolean {
    return this.#nodes.has(key);
  }

  /** The states of a situation: one of each region, named with its parents. */
  statesOf(key: string): readonly string[] {
    const states = this.#states.get(key) ?? statesIn(key);
    this.#states.set(key, states);
    return states;
  }

  /** The states of the machine that can be come to from here, its own included. */
  statesFrom(key: string): ReadonlySet<string> {
    const known = this.#reached.get(key);
    if (known !== undefined) return known;
    const seen = new Set([key]);
    for (const one of seen) for (const next of this.#nodes.get(one)?.next.values() ?? []) seen.add(next);
    const states = new Set<string>();
    for (const one of seen) for (const state of this.statesOf(one)) states.add(state);
    this.#reached.set(key, states);
    return states;
  }

  /** The situations in which a machine has finished after one of these moves. */
  endsAfter(isMove: (name: string) => boolean): ReadonlySet<string> {
    const ends = new Set<string>();
    for (const { next } of this.#nodes.values()) {
      for (const [name, key] of next) {
        if (isMove(name) && this.#nodes.get(key)?.next.size === 0) ends.add(this.statesOf(key).join());
      }
    }
    return ends;
  }
}

const Values: v.GenericSchema<StateValue> = v.union([
  v.string(),
  v.record(
    v.string(),
    v.lazy(() => Values),
  ),
]);
/** The beginning of a situation's key (situationOf): the machine's state, and whether it is over. */
const Key = v.pipe(v.string(), v.parseJson(), v.looseTuple([Values, v.string()]));

function statesIn(key: string): string[] {
  const [value, status] = v.parse(Key, key);
  const below = (state: StateValue | undefined): string[] => {
    if (state === undefined || typeof state === "string") return [state ?? ""];
    return Object.entries(state).flatMap(([name, inner]) => below(inner).map((one) => `${name}.${one}`));
  };
  return below(value).map((state) => `${state} (${status})`);
}

/** The two kinds of outages: calls fail at once, or nothing comes back until they are given up. */
const ways = ["offline", "silent"] as const;

/**
 * Removes the network in situations of each state, restores it, and checks the result: the rules held at all times, the
 * user's input is still there, the server was not overloaded, and every situation that an answer would have led to can
 * still be reached.
 */
export function endureOutages<H extends Harness>(walk: Walk<H>, graph: Graph): void {
  const run = createRun(walk, "at once");
  const broken = new Set<string>();
  if (graph.isEmpty) expect.fail(`${walk.machine.id}: no situation was found.`);
  const outages = new Set(walk.moves.flatMap(({ name, isOutage }) => (isOutage === true ? [name] : [])));
  if (outages.size === 0) expect.fail(`${walk.machine.id}: no move is an outage, and nothing says why (isLocal).`);
  // The situations in which the walk also ends without an outage.
  const ends = graph.endsAfter((name) => !outages.has(name));
  for (const { situation, start, next } of graph.sample(perState)) {
    const wanted = answersIn(walk, next);
    for (const way of ways) {
      const { harness, clock, move, stop } = run(start);
      for (const name of situation.steps) move(name);
      const entered = JSON.stringify(walk.entered?.(harness));
      const steps = [...situation.steps, `(${way})`];
      endure(walk, { harness, clock, move }, way, steps);
      const after = situationOf(walk, harness, clock);
      const say = (what: string) => broken.add(`${what}: ${steps.join(" → ")}`);
      if (JSON.stringify(walk.entered?.(harness)) !== entered) say("what was entered is another");
      const isActive = harness.actor.getSnapshot().status === "active";
      const isStuck = isActive && !walk.moves.some((one) => one.may(harness, clock));
      if (isStuck && !ends.has(graph.statesOf(after).join())) say("nothing can be done any more");
      stop();
      if (!graph.has(after)) {
        say(`a situation that no path has: ${after}`);
        continue;
      }
      const states = graph.statesFrom(after);
      for (const [answer, key] of wanted) {
        const brought = graph.statesOf(key).filter((state) => !graph.statesOf(situation.key).includes(state));
        if (!brought.every((state) => states.has(state))) say(`no way on to where "${answer}" leads`);
      }
    }
  }
  const [first] = broken;
  if (first !== undefined) expect.fail(`${walk.machine.id}: ${broken.size} times, such as ${first}`);
}

/** The situations to which the answers of open requests lead. */
function answersIn<H extends Harness>({ moves, outage = {} }: Walk<H>, next: ReadonlyMap<string, string>): [string, string][] {
  const isAsked = moves.some(({ name, isOutage }) => isOutage === true && next.has(name));
  if (!isAsked) return [];
  return moves.flatMap(({ name, isAnswer }) => {
    const key = next.get(name);
    return isAnswer === true && key !== undefined && outage[name] === undefined ? [[name, key]] : [];
  });
}

interface Running<H> {
  harness: H;
  clock: WalkClock;
  move(name: string): void;
}

function endure<H extends Harness>(
  walk: Walk<H>,
  { harness, clock, move }: Running<H>,
  way: (typeof ways)[number],
  steps: string[],
): void {
  const outages = walk.moves.filter(({ isOutage }) => isOutage === true);
  let calls = 0;
  const isActive = () => harness.actor.getSnapshot().status === "active";
  const fail = (one: Move<H>) => {
    if (!isActive() || !one.may(harness, clock)) return false;
    calls += 1;
    if (calls > maxCalls) expect.fail(`${walk.machine.id} hammers at the server: ${steps.join(" → ")}`);
    steps.push(one.name);
    move(one.name);
    checkRules(walk, harness, clock, steps);
    return true;
  };
  // Each new call fails like the one before.
  const failAll = () => {
    while (outages.some(fail));
  };
  const until = (end: number, afterEach: () => void) => {
    for (let due = clock.untilNext(); due !== undefined && clock.now() + due <= end && isActive(); due = clock.untilNext()) {
      clock.increment(due);
      steps.push(`${due} ms`);
      checkRules(walk, harness, clock, steps);
      afterEach();
    }
    clock.increment(end - clock.now());
  };
  const end = clock.now() + outageMs;
  if (way === "offline") {
    failAll();
    until(end, failAll);
    return;
  }
  for (let at = clock.now() + unansweredMs; at <= end; at += unansweredMs) {
    until(at, () => undefined);
    for (const one of outages) fail(one);
  }
}
