import { expect, test } from "vitest";
import { runChaos } from "./chaos.ts";
import { openEmbeddedWorld } from "./embedded-world.ts";
import { openGrownWorld } from "./grown-world.ts";

/** Runs by `npm run chaos -- --rounds 1000 --seed 7 --world grown` alone, which says how many rounds, of which seed, in which world. */
const { CHAOS_ROUNDS = "0", CHAOS_SEED = "15", CHAOS_WORLD } = process.env;
const seed = Number(CHAOS_SEED);
const worlds = [
  { name: "embedded", share: 0.6, open: openEmbeddedWorld, where: "a server" },
  { name: "grown", share: 0.4, open: openGrownWorld, where: "two servers and two workers, with PostgreSQL and S3" },
];

for (const { name, share, open, where } of worlds) {
  const rounds = Math.ceil(Number(CHAOS_ROUNDS) * (CHAOS_WORLD === name ? 1 : share));
  test.skipIf(rounds === 0 || (CHAOS_WORLD !== undefined && CHAOS_WORLD !== name))(
    `${where}, killed ${rounds} times while people work: what was acknowledged is there once, what was not was told (seed ${seed})`,
    async () => {
      await using world = await open();
      const { wrong, story, ...counts } = await runChaos(world, { rounds, seed });
      console.log(`${name}: ${JSON.stringify(counts)}`);
      if (wrong.length > 0) {
        const again = `npm run chaos -- --world ${name} --seed ${seed} --rounds ${rounds}`;
        const last = [...story.slice(-20), "", "What the servers said last:", world.log()];
        throw new Error([...wrong, "", `Again: ${again}`, "", "What was killed:", ...last].join("\n"));
      }
      expect(Object.values(counts.kills).reduce((sum, count) => sum + count, 0)).toBe(rounds);
      // Otherwise nothing was killed in the middle of anything.
      expect(counts.unanswered).toBeGreaterThan(0);
      // In so many rounds everybody gets to everything.
      if (rounds >= 40) expect(Object.keys(counts.finished)).toHaveLength(8);
    },
    180_000 + rounds * 60_000,
  );
}
