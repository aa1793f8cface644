import { createDice } from "#tests/page/session/simulated/time.ts";
import { type Person, signUp } from "#tests/server/harness.ts";
import type { World } from "./embedded-world.ts";
import { Inhabitant } from "./people.ts";

export interface ChaosOptions {
  rounds: number;
  /** Repeats a run, as far as what is chosen: processes have their own pace. */
  seed: number;
  people?: number;
  /** The longest that a round lasts until something is killed (milliseconds). */
  longestMs?: number;
}

export interface ChaosReport {
  /** What was lost, doubled or failed. */
  wrong: string[];
  acknowledged: number;
  unanswered: number;
  kills: Record<string, number>;
}

/** Kills something again and again while people work; after each round what was acknowledged is compared with what is there. */
export async function runChaos(world: World, { rounds, seed, people = 4, longestMs = 300 }: ChaosOptions): Promise<ChaosReport> {
  const dice = createDice(seed);
  const wrong: string[] = [];
  const kills: Record<string, number> = {};
  let isOver = false;
  const all: { person: Person; inhabitant: Inhabitant }[] = [];
  for (let number = 0; number < people; number++) {
    const person = await signUp(world);
    all.push({ person, inhabitant: new Inhabitant(person, createDice(seed * 1_000 + number), () => isOver) });
  }
  const lives = all.map(({ inhabitant }) => inhabitant.live());
  let failure: unknown;
  for (const life of lives) {
    life.catch((error: unknown) => {
      failure ??= error;
    });
  }
  for (let round = 1; round <= rounds && failure === undefined && wrong.length === 0; round++) {
    await new Promise((resolve) => setTimeout(resolve, dice.between(10, longestMs)));
    const killed = await world.kill(dice);
    kills[killed] = (kills[killed] ?? 0) + 1;
    await world.heal();
    // Each in turn: all of it is compared at the end.
    const looked = all[round % all.length];
    if (looked !== undefined)
      wrong.push(...(await looked.inhabitant.ledger.check(looked.person)).map((one) => `round ${round}: ${one}`));
  }
  isOver = true;
  await Promise.allSettled(lives);
  if (failure !== undefined) wrong.push(failure instanceof Error ? `${failure} (${failure.cause})` : String(failure));
  for (const { person, inhabitant } of all) {
    wrong.push(...(await untilComplete(() => inhabitant.ledger.check(person, true))), ...(await inhabitant.checkVault()));
  }
  const sum = (key: "acknowledged" | "unanswered") => all.reduce((total, { inhabitant }) => total + inhabitant.counts[key], 0);
  return { wrong, acknowledged: sum("acknowledged"), unanswered: sum("unanswered"), kills };
}

/** Jobs go on after the last kill. @returns what is still wrong after a minute */
async function untilComplete(check: () => Promise<string[]>): Promise<string[]> {
  const until = Date.now() + 60_000;
  for (;;) {
    const wrong = await check();
    const isWaiting = wrong.length > 0 && wrong.every((sentence) => /is (processing|pending)$/.test(sentence));
    if (!isWaiting || Date.now() > until) return wrong;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}
