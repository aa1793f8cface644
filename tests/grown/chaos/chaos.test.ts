import { expect, onTestFinished, test } from "vitest";
import { runChaos } from "./chaos.ts";
import { openEmbeddedWorld } from "./embedded-world.ts";

/** Runs by `npm run chaos -- --rounds 1000 --seed 7` alone. */
const rounds = Number(process.env.CHAOS_ROUNDS ?? 0);
const seed = Number(process.env.CHAOS_SEED ?? 15);

test.skipIf(rounds === 0)(
  `a server that is killed ${rounds} times while people work loses and doubles nothing (seed ${seed})`,
  async () => {
    const world = await openEmbeddedWorld();
    onTestFinished(() => world.close());
    const report = await runChaos(world, { rounds, seed });
    console.log(JSON.stringify({ ...report, wrong: report.wrong.length }));
    expect(report.wrong).toEqual([]);
    expect(Object.values(report.kills).reduce((sum, count) => sum + count, 0)).toBe(rounds);
    expect(report.acknowledged).toBeGreaterThan(rounds);
    // Otherwise nothing was killed in the middle of anything.
    expect(report.unanswered).toBeGreaterThan(0);
  },
  120_000 + rounds * 10_000,
);
