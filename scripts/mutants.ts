import { existsSync } from "node:fs";
import { join } from "node:path";
import { Stryker } from "@stryker-mutator/core";
import { root } from "./tools.mjs";

// `npm run test:mutants -- machines/session` makes small faults in a folder's code (an operator, a condition), one
// after another, and lists those that the folder's tests do not detect. It takes from half a minute to an hour.

const [folder = ""] = process.argv.slice(2);
const projects = projectsOf(folder);
if (projects === undefined || !existsSync(join(root, folder))) {
  console.error("Name a folder of machines/, speech/, translation/, src/ or server/: npm run test:mutants -- machines/session");
  process.exit(1);
}
// Read by mutants.vitest.config.ts.
process.env.MUTANTS_PROJECTS = projects.join(",");
process.env.MUTANTS_SUBJECT = subjectOf(folder);

await new Stryker({
  testRunner: "vitest",
  plugins: ["@stryker-mutator/vitest-runner"],
  mutate: [`${folder}/**/*.{ts,tsx}`],
  // Tests import the code by `#machines/*`, which Vitest does not follow when it looks for related tests.
  vitest: { configFile: "scripts/mutants.vitest.config.ts", related: false },
  // Stryker does not support TypeScript 7. This file does not exist, so Stryker ignores types.
  tsconfigFile: "none.json",
  concurrency: 1,
  coverageAnalysis: "perTest",
  // Values computed when a module loads can't be changed for a single test.
  ignoreStatic: true,
  // Texts and literal objects are mostly style names and log messages.
  mutator: { excludedMutations: ["StringLiteral", "ObjectLiteral"] },
  reporters: ["clear-text"],
  clearTextReporter: { allowColor: process.stdout.isTTY, allowEmojis: false, logTests: false, reportTests: false },
  ignorePatterns: ["dist", "data", ".tmp"],
  tempDirName: ".tmp/mutants",
}).runMutationTest();

/** The Vitest projects whose tests run a layer's code; undefined for any other folder. */
function projectsOf(path: string): string[] | undefined {
  if (/^machines(\/|$)/.test(path)) return ["machines", "paths", "page", "components"];
  if (/^src(\/|$)/.test(path)) return ["page", "components"];
  if (/^(server|speech|translation)(\/|$)/.test(path)) return ["server"];
  return undefined;
}

/** The folder of its tests, below each project's folder: "session" for src/features/session. */
function subjectOf(path: string): string {
  return path.replace(/^(machines|server|src\/features|src)\/?/, "").replace(/\/$/, "");
}
