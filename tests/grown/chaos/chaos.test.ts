import { expect, test } from "vitest";
import { cutOffs, runChaos } from "./chaos.ts";
import { openEmbeddedInstallation } from "./embedded-installation.ts";
import { openGrownInstallation } from "./grown-installation.ts";

/**
 * `npm run chaos -- --rounds 1000 --seed 7 --installation grown` chooses the rounds, the seed and the installation.
 * `npm run test:all` runs only a few rounds of one seed.
 */
const { CHAOS_ROUNDS, CHAOS_SEED = "15", CHAOS_INSTALLATION } = process.env;
const seed = Number(CHAOS_SEED);
const installations = [
  { name: "embedded", few: 2, share: 0.6, open: openEmbeddedInstallation, where: "a server" },
  {
    name: "grown",
    few: 2,
    share: 0.4,
    open: openGrownInstallation,
    where: "two servers and two workers, with PostgreSQL and S3",
  },
];

for (const { name, few, share, open, where } of installations) {
  const rounds = CHAOS_ROUNDS === undefined ? few : Math.ceil(Number(CHAOS_ROUNDS) * (CHAOS_INSTALLATION === name ? 1 : share));
  // PROMISE uploads: A killed server goes on from the last finished piece; no job fails
  test.skipIf(CHAOS_INSTALLATION !== undefined && CHAOS_INSTALLATION !== name)(
    `keeps all acknowledged work exactly once over ${rounds} kills in ${where} (seed ${seed})`,
    async () => {
      await using installation = await open();
      const { wrong, story, ...counts } = await runChaos(installation, { rounds, seed });
      console.log(`${name}: ${JSON.stringify(counts)}`);
      if (wrong.length > 0) {
        const again = `npm run chaos -- --installation ${name} --seed ${seed} --rounds ${rounds}`;
        const last = [...story.slice(-20), "", "What the servers said last:", installation.log()];
        throw new Error([...wrong, "", `Again: ${again}`, "", "What was killed:", ...last].join("\n"));
      }
      expect(Object.values(counts.kills).reduce((sum, count) => sum + count, 0)).toBe(rounds);
      // Users notice the kills of a server that was handling their request.
      expect(counts.unanswered).toBeGreaterThanOrEqual(cutOffs(rounds));
      // In so many rounds every kind of work is finished at least once.
      if (rounds >= 40) expect(Object.keys(counts.finished)).toHaveLength(8);
    },
    180_000 + rounds * 60_000,
  );
}
