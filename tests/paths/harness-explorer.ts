import type { ActorLogic, EventObject } from "xstate";
import { checkRules, createRun, type Harness, situationOf, type Walk } from "./harness-run.ts";

/** The situation after some steps. */
export interface Situation {
  status: "active";
  output: undefined;
  error: undefined;
  steps: readonly string[];
  key: string;
  /** The possible next moves. */
  open: readonly string[];
}

/**
 * A machine with its environment, as a logic from which xstate/graph derives paths: each transition is a live actor's.
 * So parallel timers, and answers that arrive after a state was left, occur in the paths as in reality.
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
    // The shorter sequence without the last step was already checked.
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
