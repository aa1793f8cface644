import { expect } from "vitest";
import type { AnyStateMachine, EventObject, InspectionEvent, StateValue } from "xstate";
import type { Coverage } from "./harness-coverage.ts";
import { type Mode, Stubs, WalkClock } from "./harness-stubs.ts";

// A machine in its environment: the definition of a walk, and how one run of it starts.

/** The machine under test. Each walk adds the stubs around it. */
export interface Harness {
  actor: WalkedActor;
}

interface WalkedActor {
  start(): unknown;
  stop(): unknown;
  readonly logic: AnyStateMachine;
  getSnapshot(): { value: StateValue; status: string };
}

/** Something that may happen to a machine. */
export interface Move<H> {
  name: string;
  /** Whether it can happen now. */
  may(harness: H, clock: WalkClock): boolean;
  happen(harness: H, clock: WalkClock): void;
  /** The event, if the move is an event. */
  event?: EventObject;
  /** Whether it is a call's result without a network (harness-outage.ts). */
  isOutage?: boolean;
  /** Whether it is the answer to a request. */
  isAnswer?: boolean;
}

export interface Walk<H extends Harness> {
  machine: AnyStateMachine;
  /** Made once; opens one run after another. The run starts the actor. */
  prepare(stubs: Stubs): (options: RunOptions) => H;
  /** Different beginnings, by name. */
  starts?: readonly string[];
  moves: readonly Move<H>[];
  /**
   * The data that distinguishes two situations besides the machine's state: as little as the rules need, so that the
   * walk ends.
   */
  situation(harness: H, clock: WalkClock): unknown;
  /** Conditions that must hold after every step, by their sentence. */
  rules: Record<string, (harness: H, clock: WalkClock) => boolean>;
  /** Transitions that a correct machine can't reach, by name, with the reason. */
  unreachable?: Record<string, string>;
  /** The user's input, which no outage may change. */
  entered?(harness: H): unknown;
  /** Answers whose state need not be come to after an outage, each with the reason. */
  outage?: Record<string, string>;
  /** Why it is not concerned when the network is away; every other machine has moves that are an outage. */
  isLocal?: string;
  /** Small enough for every simple path, not only the shortest one to each transition. */
  simple?: boolean;
}

export interface RunOptions {
  clock: WalkClock;
  inspect: (event: InspectionEvent) => void;
  start: string;
}

/** Opens runs, one after another: each is over when the next begins. */
export function createRun<H extends Harness>(walk: Walk<H>, mode: Mode, coverage?: Coverage) {
  const stubs = new Stubs(mode);
  const open = walk.prepare(stubs);
  const moves = new Map(walk.moves.map((move) => [move.name, move]));
  if (moves.size < walk.moves.length) throw new Error("Two moves have the same name.");
  return (start: string) => {
    stubs.reset();
    const clock = new WalkClock();
    let observe: ((event: InspectionEvent) => void) | undefined;
    const early: InspectionEvent[] = [];
    const harness = open({ clock, start, inspect: (event) => (observe === undefined ? early.push(event) : observe(event)) });
    observe = coverage?.observer(harness.actor.logic) ?? (() => {});
    early.forEach(observe);
    harness.actor.start();
    return {
      harness,
      clock,
      move: (name: string) => moves.get(name)?.happen(harness, clock),
      stop: () => harness.actor.stop(),
    };
  };
}

export function checkRules<H extends Harness>(walk: Walk<H>, harness: H, clock: WalkClock, steps: readonly string[]): void {
  const broken = Object.keys(walk.rules).filter((sentence) => walk.rules[sentence]?.(harness, clock) === false);
  if (harness.actor.getSnapshot().status === "error") broken.push("the machine itself does not fail");
  if (broken.length > 0) expect.fail(`${walk.machine.id}, after ${steps.join(" → ")}: broken: ${broken.join("; ")}`);
}

export function situationOf<H extends Harness>(walk: Walk<H>, harness: H, clock: WalkClock): string {
  const { value, status } = harness.actor.getSnapshot();
  return JSON.stringify([value, status, walk.situation(harness, clock)]);
}
