import type { Page } from "playwright-core";
import { timeLimit } from "#tests/fixtures/time-limit.ts";
import { createRun, type Rig, type Walk } from "#tests/paths/harness-run.ts";
import { selectPaths } from "#tests/paths/harness-selection.ts";
import type { WalkClock } from "#tests/paths/harness-stage.ts";
import type { Path } from "#tests/paths/harness-walk.ts";
import type { Call } from "./harness-calls.ts";
import { expect } from "./harness-expect.ts";

// A machine's paths, walked in a real browser: the machine goes the same way beside it, and after each step a person sees what it says.

/** How one of the walk's moves is made in a page. */
export interface Drive<R> {
  /** When it can be made, beside what the walk says: a button that is not shown can't be pressed. */
  may?(rig: R): boolean;
  /** @param rig the machine after it @param passed what its clock was moved, in ms */
  happen(rig: R, passed: number): Promise<void>;
}
export type Drives<R> = Readonly<Record<string, Drive<R>>>;

/** What a person does and sees in the page. */
export interface Person<R> {
  drives: Drives<R>;
  begin(rig: R, start: string): Promise<void>;
  /** Whether the page is as the machine says. @param step the last one's name; "" at the beginning @returns what is not */
  look(rig: R, step: string): Promise<string[]>;
  /** Before each step. */
  tidyUp?(rig: R, clock: WalkClock): Promise<void>;
  /** Between two looks. @param tries so many there were since the step */
  wait(tries: number, clock: WalkClock): Promise<void>;
}

/** The walk with those moves only that a person can make. */
function drivenWalk<R extends Rig>(walk: Walk<R>, drives: Drives<R>): Walk<R> {
  const unknown = Object.keys(drives).filter((name) => !walk.moves.some((move) => move.name === name));
  if (unknown.length > 0) throw new Error(`No such moves: ${unknown.join(", ")}`);
  const moves = walk.moves.filter(({ name }) => name in drives);
  return {
    ...walk,
    moves: moves.map((move) => ({
      ...move,
      may: (rig, clock) => move.may(rig, clock) && drives[move.name]?.may?.(rig) !== false,
    })),
  };
}

/**
 * Walks few paths that together take every transition that a person can make happen, and fails when there are more, or fewer, that
 * nobody can.
 * @param excused the names of those, and why
 */
export async function walkInBrowser<R extends Rig>(
  walk: Walk<R>,
  person: Person<R>,
  excused: Readonly<Record<string, string>> = {},
): Promise<void> {
  const driven = drivenWalk(walk, person.drives);
  const { paths, missed } = selectPaths(driven);
  for (const path of paths) await takePath(driven, path, person);
  expect(missed.toSorted()).toEqual([...Object.keys(walk.unreachable ?? {}), ...Object.keys(excused)].toSorted());
}

/** Milliseconds that a page has for what follows from a step. */
const timeoutMs = timeLimit(60_000);

/** Goes a path in the page and in the machine, side by side. */
async function takePath<R extends Rig>(walk: Walk<R>, { start, steps }: Path, person: Person<R>): Promise<void> {
  const { rig, clock, move, stop } = createRun(walk, "at once")(start);
  const see = async (way: readonly string[]) => {
    const end = performance.now() + timeoutMs;
    for (let tries = 0; ; tries++) {
      const wrong = await person.look(rig, way.at(-1) ?? "");
      if (wrong.length === 0) return;
      if (performance.now() > end) throw new Error(`${[start, ...way].join(" → ")}: not seen: ${wrong.join("; ")}`);
      await person.wait(tries, clock);
    }
  };
  await person.begin(rig, start);
  await see([]);
  for (const [index, name] of steps.entries()) {
    await person.tidyUp?.(rig, clock);
    const before = clock.now();
    const way = steps.slice(0, index + 1);
    try {
      move(name);
      await person.drives[name]?.happen(rig, clock.now() - before);
    } catch (cause) {
      throw new Error(`${[start, ...way].join(" → ")}: can't be done`, { cause });
    }
    await see(way);
  }
  stop();
}

/** The calls of one kind that the page makes, each answered when the path says so. */
export class HeldCalls {
  #made = 0;
  #waiting: Call[] = [];

  /** So many were made since the last `reset`. */
  get made(): number {
    return this.#made;
  }

  reset(): void {
    this.#made = 0;
    this.#waiting = [];
  }

  hold(call: Call): void {
    this.#made += 1;
    this.#waiting.push(call);
  }

  /** Answers the latest: one that the page does not want any more was made before it. */
  async answer(answer: Answer): Promise<void> {
    await expect.poll(() => this.#waiting.length).toBeGreaterThan(0);
    const latest = this.#waiting.splice(0).at(-1);
    if (latest === undefined) throw new Error("Nobody asked.");
    await answer(latest);
  }
}

export type Answer = (call: Call) => Promise<void>;
export const json =
  (body: unknown, status = 200): Answer =>
  (call) =>
    call.fulfill({ status, json: body });
export const refusal = (status: number): Answer => json({ message: "no" }, status);
export const noAnswer: Answer = (call) => call.abort();

/** What of these is not so, by name. */
export const unlike = (checks: Readonly<Record<string, boolean>>): string[] =>
  Object.entries(checks).flatMap(([name, holds]) => (holds ? [] : [name]));

/** What a person reads on the page, in lines. */
export const textOf = async (page: Page): Promise<string> =>
  (await page.locator("body").allInnerTexts()).join().replace(/\n+/g, "\n");

/** Good enough for a page, which can't check a signature. */
export function unsignedToken(claims: object): string {
  const encoded = [{ alg: "none" }, claims].map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"));
  return `${encoded.join(".")}.-`;
}
