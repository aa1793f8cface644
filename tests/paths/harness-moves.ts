import type { EventObject } from "xstate";
import type { Move } from "./harness-run.ts";
import type { Asking, CallbackStub } from "./harness-stubs.ts";

// The kinds of things that happen to a machine.

interface Hearing<E extends EventObject> {
  actor: { getSnapshot(): { can(event: E): boolean }; send(event: E): void };
}

/** Sends an event in every state that handles it. */
export function sent<E extends EventObject>(event: E, name: string = event.type): Move<Hearing<E>> {
  return {
    name,
    may: ({ actor }) => actor.getSnapshot().can(event),
    happen: ({ actor }) => actor.send(event),
    event,
  };
}

/** Answers a request. */
export function answered<H, Output, Input>(
  name: string,
  pick: (harness: H) => Asking<Output, Input>,
  output: (harness: H, input: Input | undefined) => Output,
): Move<H> {
  return {
    name,
    may: (harness) => pick(harness).open().length > 0,
    happen: (harness) => pick(harness).answer(output(harness, pick(harness).open()[0]?.input)),
    isAnswer: true,
  };
}

/** Refuses a request; the code "network" stands for no network. */
export function refused<H, Output, Input>(name: string, pick: (harness: H) => Asking<Output, Input>, error: unknown): Move<H> {
  return {
    name,
    may: (harness) => pick(harness).open().length > 0,
    happen: (harness) => pick(harness).refuse(error),
    isOutage: error instanceof Error && "code" in error && error.code === "network",
  };
}

/** A move that is also what happens without network. */
export function outage<H>(move: Move<H>): Move<H> {
  return { ...move, isOutage: true, isAnswer: false };
}

/** Sends an event from one of the machine's listeners. */
export function said<H extends Hearing<E>, E extends EventObject, Heard extends EventObject, Input>(
  event: E,
  pick: (harness: H) => CallbackStub<E, Heard, Input>,
  name: string = event.type,
): Move<H> {
  return {
    name,
    may: (harness) => pick(harness).running() > 0 && harness.actor.getSnapshot().can(event),
    happen: (harness) => pick(harness).say(event),
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
