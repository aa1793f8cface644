import type { ActorLogic, EventObject } from "xstate";
import { checkRules, createRun, type Harness, situationOf, type Walk } from "./harness-run.ts";

/** Where some steps lead. */
export interface Situation {
  status: "active";
  output: undefined;
  error: undefined;
  steps: readonly string[];
  key: string;
  /** What can happen next. */
  open: readonly string[];
}

/**
 * A machine with its environment, as a logic that xstate/graph makes paths of: each transition is what a live actor does.
 * So timers that run side by side, and answers that come after a state was left, are in the paths as they are in life.
 */
export function createExplorer<H extends Harness>(walk: Walk<H>, start: string) {
  const run = createRun(walk, "at once");
  const known = new Map<string, Situation>();
  const lookAt = (steps: readonly string[]): Situation => {
    const way = steps.join("\n");
    const found = known.get(way) ?? look(steps);
    known.set(way, found);
    return found;
  };
  const look = (steps: readonly string[]): Situation => {
    const { harness, clock, move, stop } = run(start);
    for (const name of steps) move(name);
    // What led here was looked at before: these steps without the last one.
    checkRules(walk, harness, clock, steps);
    const key = situationOf(walk, harness, clock);
    const isOver = harness.actor.getSnapshot().status !== "active";
    const open = isOver ? [] : walk.moves.filter((one) => one.may(harness, clock)).map(({ name }) => name);
    stop();
    return { status: "active", output: undefined, error: undefined, steps, key, open };
  };
  const logic: ActorLogic<Situation, EventObject> = {
    getInitialSnapshot: () => lookAt([]),
    getPersistedSnapshot: (situation) => situation,
    transition: (situation, { type }) => lookAt([...situation.steps, type]),
  };
  const options = {
    events: walk.moves.map(({ name }) => ({ type: name })),
    filterEvents: (situation: Situation, { type }: EventObject) => situation.open.includes(type),
    serializeState: ({ key }: Situation) => key,
  };
  return { logic, options, lookAt };
}
