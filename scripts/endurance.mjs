import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { node26, root } from "./tools.mjs";

// Puts a steady mixed load on a real server, and checks that its memory, handles and disk stay flat:
//   npm run endurance -- --minutes 30 (tests/grown/endurance)

const { values } = parseArgs({ options: { minutes: { type: "string", default: "30" } } });
if (!/^[1-9]\d{0,3}$/.test(values.minutes)) {
  console.error("--minutes must be a whole number from 1");
  process.exit(1);
}
const vitest = join(root, "node_modules", "vitest", "vitest.mjs");
const env = { ...process.env, ENDURANCE_MINUTES: values.minutes };
const { status } = spawnSync(node26, [vitest, "run", "--project", "grown", "tests/grown/endurance"], {
  cwd: root,
  env,
  stdio: "inherit",
});
process.exit(status ?? 1);
