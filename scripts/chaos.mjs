import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { node26, root } from "./tools.mjs";

// Kills the product's processes while users work, and compares the acknowledged data with the stored data:
//   npm run chaos -- --rounds 1000 --seed 7 --installation grown (tests/grown/chaos)
// Without an installation, two share the rounds: one server with the embedded defaults, and several with PostgreSQL
// and S3.

const { values } = parseArgs({
  options: { rounds: { type: "string", default: "1000" }, seed: { type: "string" }, installation: { type: "string" } },
});
const seed = values.seed ?? String(Math.floor(Math.random() * 1_000_000) + 1);
for (const [name, value] of Object.entries({ rounds: values.rounds, seed })) {
  if (!/^[1-9]\d{0,8}$/.test(value)) {
    console.error(`--${name} must be a whole number from 1`);
    process.exit(1);
  }
}
if (values.installation !== undefined && !["embedded", "grown"].includes(values.installation)) {
  console.error("--installation must be embedded or grown");
  process.exit(1);
}
console.log(`${values.rounds} rounds with seed ${seed}`);
const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
const installation = values.installation === undefined ? {} : { CHAOS_INSTALLATION: values.installation };
const env = { ...process.env, CHAOS_ROUNDS: values.rounds, CHAOS_SEED: seed, ...installation };
const { status } = spawnSync(node26, [vitest, "run", "--project", "grown", "tests/grown/chaos"], {
  cwd: root,
  env,
  stdio: "inherit",
});
process.exit(status ?? 1);
