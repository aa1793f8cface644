import fc from "fast-check";
import { expect } from "vitest";
import type { AnyEventObject, AnyStateMachine } from "xstate";
import { fuzz, hostileText, runs } from "#tests/fixtures/fuzz.ts";
import { checkRules, createRun, type Harness, type Move, type Walk } from "./harness-run.ts";

/** Runs of one machine in `npm test`, and the most steps of each. */
const [walks, longest] = [12, 40];

/** One step: a possible move, or an unexpected event. */
interface Step {
  kind: "move" | "early" | "changed" | "unknown";
  pick: number;
  text: string;
  number: number;
}

const step: fc.Arbitrary<Step> = fc.record({
  kind: fc.oneof(
    { weight: 12, arbitrary: fc.constant("move" as const) },
    { weight: 3, arbitrary: fc.constant("early" as const) },
    { weight: 1, arbitrary: fc.constantFrom("unknown" as const, "changed" as const) },
  ),
  pick: fc.nat(1_000),
  text: hostileText,
  number: fc.oneof(fc.integer(), fc.double(), fc.constantFrom(-0, Number.NaN, Number.POSITIVE_INFINITY)),
});

/**
 * Walks at random, in contrast to the systematic paths: up to 40 steps, with events at moments at which nobody sends
 * them. In any case the machine must not fail, must be in a state of its chart, and must keep the walk's rules.
 */
export function walkAtRandom<H extends Harness>(walk: Walk<H>): void {
  const starts = walk.starts ?? ["the beginning"];
  const run = createRun(walk, "at once");
  const kept = fc.property(fc.constantFrom(...starts), fc.array(step, { minLength: 5, maxLength: longest }), (start, steps) => {
    const { harness, clock, move, stop } = run(start);
    const done: string[] = [start];
    // The rules concern the actions of users and the page. Events that the page never sends, but the machine handles,
    // must only break nothing.
    let isOrdinary = true;
    for (const one of steps) {
      if (harness.actor.getSnapshot().status !== "active") break;
      const open = walk.moves.filter((candidate) => candidate.may(harness, clock));
      const next = open[one.pick % Math.max(1, open.length)];
      const event = eventOf(walk.moves, one);
      const isHeard = hears(harness, event);
      if (one.kind === "move" && next !== undefined) move(next.name);
      else send(harness, event);
      done.push(one.kind === "move" ? (next?.name ?? "nothing") : `${one.kind}: ${JSON.stringify(event)}`);
      isOrdinary &&= one.kind === "move" || !isHeard;
      if (isOrdinary) checkRules(walk, harness, clock, done);
      expect(harness.actor.getSnapshot().status, done.join(" → ")).not.toBe("error");
      expect(isInChart(harness.actor), done.join(" → ")).toBe(true);
    }
    stop();
  });
  fc.assert(kept, runs(walks));
}

/**
 * The payload of a known event with other texts and numbers, mostly unknown ids.
 * @param moves some of which are events
 */
function eventOf(moves: readonly Pick<Move<never>, "event">[], { kind, pick, text, number }: Step): AnyEventObject {
  const known = moves.flatMap(({ event }) => event ?? []);
  const event = known[pick % Math.max(1, known.length)];
  if (event === undefined || kind === "unknown") return { type: `nobody.sends.${text}`, text, number };
  return kind === "changed" ? { ...changed(event, text, number), type: event.type } : event;
}

/** The same form with other texts and numbers. */
function changed(value: AnyEventObject, text: string, number: number): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, typeof part === "string" ? text : typeof part === "number" ? number : part]),
  );
}

function send(harness: Harness, event: AnyEventObject): void {
  const { actor } = harness;
  if ("send" in actor && typeof actor.send === "function") actor.send(event);
}

function hears({ actor }: Harness, event: AnyEventObject): boolean {
  const snapshot = actor.getSnapshot();
  return "can" in snapshot && typeof snapshot.can === "function" && snapshot.can(event) === true;
}

function isInChart(actor: Harness["actor"]): boolean {
  const { value } = actor.getSnapshot();
  const machine: AnyStateMachine = actor.logic;
  return machine.resolveState({ value, context: {} }).value !== undefined;
}

export const randomTitle = `random moves keep the rules, too (seed ${fuzz.seed})`;
