import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { node26, root } from "./tools.mjs";

// Kills the product's processes while people work, and compares what was acknowledged with what is there:
//   npm run chaos -- --rounds 1000 --seed 7 --world grown (tests/grown/chaos)
// Without a world the rounds are shared between both: one server on the embedded defaults, and several with PostgreSQL and S3.

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "1000" }, seed: { type: "string" }, world: { type: "string" } },
});
const seed = values.seed ?? String(Math.floor(Math.random() * 1_000_000) + 1);
for (const [name, value] of Object.entries({ rounds: values.rounds, seed })) {
  if (!/^[1-9]\d{0,8}$/.test(value)) {
    console.error(`--${name} is a whole number from 1`);
    process.exit(1);
  }
}
if (values.world !== undefined && !["embedded", "grown"].includes(values.world)) {
  console.error("--world is embedded or grown");
  process.exit(1);
}
console.log(`${values.rounds} rounds with seed ${seed}`);
const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
const world = values.world === undefined ? {} : { CHAOS_WORLD: values.world };
const env = { ...process.env, CHAOS_ROUNDS: values.rounds, CHAOS_SEED: seed, ...world };
const { status } = spawnSync(node26, [vitest, "run", "--project", "grown", "tests/grown/chaos"], {
  cwd: root,
  env,
  stdio: "inherit",
});
process.exit(status ?? 1);
