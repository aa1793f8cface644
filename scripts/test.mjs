import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { node26, root } from "./tools.mjs";

// Everything that has to hold: what needs no tests side by side, then the tests, one step after another; a step that fails does not keep
// the next from running. Ends with the line "N passed, N failed", where the type check and the linter count as one test each.
// With the argument "grown" (`npm run test:grown`): what takes several processes, PostgreSQL or S3, faults made on purpose and
// inputs of every size and kind, which nobody waits for after each change.

const reports = join(root, ".tmp", "test");
mkdirSync(reports, { recursive: true });
const quietly = ["--disable-warning=ExperimentalWarning"];
// Colours are for terminals; CI alone would switch them on.
const environment = { ...process.env, CI: "true", ...(process.stdout.isTTY ? {} : { NO_COLOR: "1" }) };
const program = (path) => join(root, "node_modules", path);

/** What the last check has found out of each file: only what changed since is checked again. */
const incremental = ["--incremental", "--tsBuildInfoFile", join(reports, "types.tsbuildinfo")];
/** Four would each infer anew what they all need: twice the work, and no sooner done on two processors. */
const checkedTypes = ["--checkers", "1", ...incremental];

const results = process.argv[2] === "grown" ? grown() : await ordinary();

const passed = results.reduce((sum, result) => sum + result.passed, 0);
const failed = results.reduce((sum, result) => sum + result.failed, 0);
for (const { title, failed: count } of results.filter((result) => result.failed > 0)) console.log(`Failed: ${title} (${count})`);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed > 0 || passed === 0 ? 1 : 0);

async function ordinary() {
  // The types take longest here: meanwhile there is a processor for the page, which the browser tests would build. If it
  // can't be built, it is they that say so.
  const built = checkStep("Page", [join(root, "scripts", "build.mjs"), "--if-stale"]);
  const checks = await Promise.all([
    checkStep("Types", [program("typescript/bin/tsc"), "-p", ".", ...checkedTypes]),
    checkStep("Lint and format", [program("@biomejs/biome/bin/biome"), "check", "--error-on-warnings", "."]),
    checkStep("Machine diagrams", [join(root, "scripts", "docs-machines.ts"), "--check"]),
    checkStep("Licences and known weaknesses", [join(root, "scripts", "check-dependencies.mjs")]),
  ]);
  await built;
  return [
    ...checks,
    vitestStep("Machines, paths, page and server", ["machines", "paths", "page", "server"]),
    vitestStep("Browser", ["browser"]),
  ];
}

function grown() {
  return [
    vitestStep("Several processes, faults and limits", ["grown"]),
    vitestStep("Browser: faults, limits and every format", ["grown-browser"]),
    vitestStep("Browser: several processes behind a proxy", ["grown-topology"]),
  ];
}

/** A program whose exit code is the answer. Others run meanwhile: what it says is printed in one piece when it has ended. */
async function checkStep(title, args) {
  const child = spawn(node26, [...quietly, ...args], { cwd: root, env: environment, stdio: ["ignore", "pipe", "pipe"] });
  const output = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes) => output.push(bytes));
  const code = await new Promise((resolve) => child.once("error", () => resolve(1)).once("close", resolve));
  console.log(`\n${title}`);
  process.stdout.write(Buffer.concat(output));
  const ok = code === 0;
  return { title, passed: ok ? 1 : 0, failed: ok ? 0 : 1 };
}

/** A project without tests counts as a failure: tests that are not found can't fail. */
function vitestStep(title, projects) {
  const report = join(reports, `${projects.join("-")}.json`);
  rmSync(report, { force: true });
  const selection = projects.flatMap((project) => ["--project", project]);
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${report}`];
  const code = run(title, [program("vitest/vitest.mjs"), "run", ...selection, ...reporters]);
  if (!existsSync(report)) return { title, passed: 0, failed: 1 };
  const { numPassedTests, numFailedTests, testResults } = JSON.parse(readFileSync(report, "utf8"));
  // A file that can't even be loaded has no tests in it to fail.
  const brokenFiles = testResults.filter((file) => file.status === "failed" && file.assertionResults.length === 0).length;
  const failed = numFailedTests + brokenFiles;
  // Vitest also fails for errors outside of any test.
  const unexplained = failed === 0 && (code !== 0 || numPassedTests === 0);
  return { title, passed: numPassedTests, failed: unexplained ? 1 : failed };
}

function run(title, args) {
  console.log(`\n${title}`);
  const done = spawnSync(node26, [...quietly, ...args], { cwd: root, env: environment, stdio: ["ignore", "inherit", "inherit"] });
  return done.status ?? 1;
}
