import type { EventObject } from "xstate";
import type { Move } from "./harness-run.ts";
import type { Asking, CallbackStub } from "./harness-stage.ts";

// The kinds of things that happen to a machine.

interface Hearing<E extends EventObject> {
  actor: { getSnapshot(): { can(event: E): boolean }; send(event: E): void };
}

/** Somebody sends it, wherever it is heard. */
export function sent<E extends EventObject>(event: E, name: string = event.type): Move<Hearing<E>> {
  return {
    name,
    may: ({ actor }) => actor.getSnapshot().can(event),
    happen: ({ actor }) => actor.send(event),
    event,
  };
}

/** What was asked is answered. */
export function answered<R, Output, Input>(
  name: string,
  pick: (rig: R) => Asking<Output, Input>,
  output: (rig: R, input: Input | undefined) => Output,
): Move<R> {
  return {
    name,
    may: (rig) => pick(rig).open().length > 0,
    happen: (rig) => pick(rig).answer(output(rig, pick(rig).open()[0]?.input)),
    isAnswer: true,
  };
}

/** What was asked is refused; with the code "network", as it is without one. */
export function refused<R, Output, Input>(name: string, pick: (rig: R) => Asking<Output, Input>, error: unknown): Move<R> {
  return {
    name,
    may: (rig) => pick(rig).open().length > 0,
    happen: (rig) => pick(rig).refuse(error),
    isOutage: error instanceof Error && "code" in error && error.code === "network",
  };
}

/** A move that is also what happens without network. */
export function outage<R>(move: Move<R>): Move<R> {
  return { ...move, isOutage: true, isAnswer: false };
}

/** One of the machine's listeners says it. */
export function said<R extends Hearing<E>, E extends EventObject, Heard extends EventObject, Input>(
  event: E,
  pick: (rig: R) => CallbackStub<E, Heard, Input>,
  name: string = event.type,
): Move<R> {
  return {
    name,
    may: (rig) => pick(rig).running() > 0 && rig.actor.getSnapshot().can(event),
    happen: (rig) => pick(rig).say(event),
  };
}

/** Time passes until the next timer is due. */
export const untilNextTimer: Move<unknown> = {
  name: "the next timer",
  may: (_, clock) => clock.untilNext() !== undefined,
  happen: (_, clock) => clock.increment(clock.untilNext() ?? 0),
};

export const failure = (code: string): Error => Object.assign(new Error(code), { code });
export const answer = (status: number, code: string): Error => Object.assign(new Error(code), { status, code });
