import { expect } from "vitest";
import type { AnyStateMachine, EventObject, InspectionEvent, StateValue } from "xstate";
import type { Coverage } from "./harness-coverage.ts";
import { type Mode, Stage, WalkClock } from "./harness-stage.ts";

// A machine in its world: what a walk is made of, and how one run of it is opened.

/** What every run has. */
export interface Rig {
  actor: WalkedActor;
}

interface WalkedActor {
  start(): unknown;
  stop(): unknown;
  readonly logic: AnyStateMachine;
  getSnapshot(): { value: StateValue; status: string };
}

/** Something that may happen to a machine. */
export interface Move<R> {
  name: string;
  /** Whether it can happen now. */
  may(rig: R, clock: WalkClock): boolean;
  happen(rig: R, clock: WalkClock): void;
  /** What is sent, where it is an event that somebody sends. */
  event?: EventObject;
  /** It is what happens to a call to the server when there is no network (harness-outage.ts). */
  isOutage?: boolean;
  /** It is an answer to what was asked. */
  isAnswer?: boolean;
}

export interface Walk<R extends Rig> {
  machine: AnyStateMachine;
  /** Made once; opens one run after another. The actor is started by the harness. */
  prepare(stage: Stage): (options: RunOptions) => R;
  /** Different beginnings, by name. */
  starts?: readonly string[];
  moves: readonly Move<R>[];
  /** What distinguishes two situations, beside the machine's state: as little as the rules need, so that the walk ends. */
  situation(rig: R, clock: WalkClock): unknown;
  /** What must hold after every step, each by the sentence that it stands for. */
  rules: Record<string, (rig: R, clock: WalkClock) => boolean>;
  /** What can't be reached in a machine that is right, by its name and with the reason. */
  unreachable?: Record<string, string>;
  /** What the person has entered, which no outage of the network may change. */
  entered?(rig: R): unknown;
  /** Answers whose state need not be come to after an outage, each with the reason. */
  outage?: Record<string, string>;
  /** Why it is not concerned when the network is away; every other machine has moves that are an outage. */
  isLocal?: string;
  /** Small enough for every simple path, not only the shortest to each transition. */
  simple?: boolean;
}

export interface RunOptions {
  clock: WalkClock;
  inspect: (event: InspectionEvent) => void;
  start: string;
}

/** Opens runs, one after another: each is over when the next begins. */
export function createRun<R extends Rig>(walk: Walk<R>, mode: Mode, coverage?: Coverage) {
  const stage = new Stage(mode);
  const open = walk.prepare(stage);
  const moves = new Map(walk.moves.map((move) => [move.name, move]));
  if (moves.size < walk.moves.length) throw new Error("Two moves have the same name.");
  return (start: string) => {
    stage.reset();
    const clock = new WalkClock();
    let observe: ((event: InspectionEvent) => void) | undefined;
    const early: InspectionEvent[] = [];
    const rig = open({ clock, start, inspect: (event) => (observe === undefined ? early.push(event) : observe(event)) });
    observe = coverage?.observer(rig.actor.logic) ?? (() => {});
    early.forEach(observe);
    rig.actor.start();
    return {
      rig,
      clock,
      move: (name: string) => moves.get(name)?.happen(rig, clock),
      stop: () => rig.actor.stop(),
    };
  };
}

export function checkRules<R extends Rig>(walk: Walk<R>, rig: R, clock: WalkClock, steps: readonly string[]): void {
  const broken = Object.keys(walk.rules).filter((sentence) => walk.rules[sentence]?.(rig, clock) === false);
  if (rig.actor.getSnapshot().status === "error") broken.push("the machine itself does not fail");
  if (broken.length > 0) expect.fail(`${walk.machine.id}, after ${steps.join(" → ")}: broken: ${broken.join("; ")}`);
}

export function situationOf<R extends Rig>(walk: Walk<R>, rig: R, clock: WalkClock): string {
  const { value, status } = rig.actor.getSnapshot();
  return JSON.stringify([value, status, walk.situation(rig, clock)]);
}
