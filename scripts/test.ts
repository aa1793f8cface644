import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import type { TestModule } from "vitest/node";
import { node26, root } from "./tools.mjs";

// Runs the tests and ends with the line "N passed, N failed". A check without tests (types, lint …) counts as one test.
//   npm test              the checks, every test below the browser, and the main paths in the browser (tag "quick")
//   npm run test:all      everything
//   npm run test:changed  the tests that import what has changed since main, and the main job in the browser

// Vitest reads these when it is loaded. Colors are for terminals; CI alone would turn them on.
process.env.CI = "true";
if (!process.stdout.isTTY) process.env.NO_COLOR = "1";
const { startVitest } = await import("vitest/node");

interface TestStep {
  title: string;
  projects: readonly string[];
  tagsFilter?: string[];
  /** A branch: runs only tests whose imports differ from it; there may be none. */
  changed?: string;
  /** The only test files to run. */
  files?: string[];
}

interface FailedFile {
  /** From the root of the repository. */
  file: string;
  /** The first failed test; empty when the file failed outside of its tests. */
  title: string;
  error: string;
  passed: number;
  /** Failed tests; 1 when the file failed outside of its tests. */
  failed: number;
  step: TestStep;
}

interface StepResult {
  passed: number;
  failedFiles: FailedFile[];
  /** Failures without a file: a check, an error outside of all tests, or a step that found no tests. */
  otherFailures: string[];
}

/** More files than this that pass only when repeated fail the run: so many are no coincidence. */
const maxUnstable = 3;

const belowBrowser = ["machines", "paths", "page", "components", "server"];
const inBrowser = ["browser", "grown-browser"];
const runBelowBrowser = () => runTests({ title: "Machines, paths, page, components and server", projects: belowBrowser });
const runs = {
  quick: async () => [
    ...(await runChecks()),
    await runBelowBrowser(),
    await runTests({ title: "Browser: the main paths", projects: inBrowser, tagsFilter: ["quick"] }),
  ],
  all: async () => [
    ...(await runChecks()),
    await runBelowBrowser(),
    await runTests({ title: "Browser", projects: inBrowser }),
    await runTests({ title: "Several processes, faults and limits", projects: ["grown"] }),
    await runTests({ title: "Browser: several processes behind a proxy", projects: ["grown-topology"] }),
  ],
  changed: async () => [
    await runTests({ title: "What has changed since main", projects: belowBrowser, changed: "main" }),
    await runTests({ title: "The main job", projects: ["browser"], files: ["tests/browser/uploads/main-job.test.ts"] }),
  ],
} satisfies Record<string, () => Promise<StepResult[]>>;

const reports = join(root, ".tmp", "test");
mkdirSync(reports, { recursive: true });
const [name = "quick"] = process.argv.slice(2);
if (name !== "quick" && name !== "all" && name !== "changed") throw new Error(`"${name}" is not quick, all or changed.`);
process.exit(await finish(await runs[name]()));

/** Repeats the failed files, prints the summary, and returns the exit code. */
async function finish(results: readonly StepResult[]): Promise<number> {
  const failedFiles = results.flatMap((result) => result.failedFiles);
  const otherFailures = results.flatMap((result) => result.otherFailures);
  const unstable = await runAgain(failedFiles);
  const areTooMany = unstable.size > maxUnstable;
  const failures = areTooMany ? failedFiles : failedFiles.filter((file) => !unstable.has(file));

  const gained = areTooMany ? 0 : sum([...unstable], ([file, passedAgain]) => passedAgain - file.passed);
  const passed = sum(results, (result) => result.passed) + gained;
  const failed = sum(failures, (file) => file.failed) + otherFailures.length;
  reportUnstable([...unstable.keys()]);
  for (const failure of otherFailures) console.log(`Failed: ${failure}`);
  for (const failure of failures) console.log(`Failed: ${nameOf(failure)} (${failure.failed})`);
  console.log(`${passed} passed, ${failed} failed`);
  return failed === 0 && passed > 0 ? 0 : 1;
}

/**
 * Repeats failed files once, each alone. If there are more than may be unstable, the run fails in any case.
 * @returns the files that now passed, with the number of their passed tests
 */
async function runAgain(failedFiles: readonly FailedFile[]): Promise<Map<FailedFile, number>> {
  const unstable = new Map<FailedFile, number>();
  for (const failedFile of failedFiles.slice(0, maxUnstable + 1)) {
    const { file, step } = failedFile;
    const again = await runTests({ ...step, title: `Once more: ${file}`, files: [file] });
    const hasPassed = again.failedFiles.length === 0 && again.otherFailures.length === 0;
    if (hasPassed) unstable.set(failedFile, again.passed);
  }
  return unstable;
}

function reportUnstable(unstable: readonly FailedFile[]): void {
  const listed = unstable.map(({ file, title, error }) => ({ file, title, error }));
  writeFileSync(join(reports, "unstable.json"), `${JSON.stringify(listed, null, 2)}\n`);
  if (unstable.length === 0) return;
  const verdict = unstable.length > maxUnstable ? `more than ${maxUnstable}, so they count as failed` : "counted as passed";
  console.log(`\nUnstable: failed, and passed when run once more (${verdict})`);
  for (const failure of unstable) console.log([`  ${nameOf(failure)}`, ...firstLines(failure.error)].join("\n    "));
  console.log("");
}

/** The beginning of an error: the expected and received values are often below its first line. */
function firstLines(error: string): string[] {
  return error
    .split("\n")
    .filter((line) => line.trim() !== "")
    .slice(0, 8);
}

function nameOf({ file, title }: FailedFile): string {
  return title === "" ? file : `${file} › ${title}`;
}

/** Runs the checks without tests in parallel. */
async function runChecks(): Promise<StepResult[]> {
  const program = (path: string) => join(root, "node_modules", path);
  const script = (path: string) => join(root, "scripts", path);
  /** Reuses the last check's results: only changed files are checked again. */
  const incremental = ["--incremental", "--tsBuildInfoFile", join(reports, "types.tsbuildinfo")];
  return Promise.all([
    // With several checkers, each infers the shared types again: twice the work, without being faster on two
    // processors.
    check("Types", [program("typescript/bin/tsc"), "-p", ".", "--checkers", "1", ...incremental]),
    check("Lint and format", ["--run", "lint"]),
    check("Machine diagrams", [script("docs-machines.ts"), "--check"]),
    check("Specification's tests", [script("docs-spec.ts"), "--check"]),
    check("Configuration page", [script("docs-config.ts"), "--check"]),
    check("Table of features", [script("docs-features.ts"), "--check"]),
    check("Performance page", [script("docs-performance.ts"), "--check"]),
    check("Links and long lines in documents", [program("remark-cli/cli.js"), "--quiet", "--frail", "--no-stdout", "."]),
    check("Licences and known weaknesses", [script("check-dependencies.mjs")]),
    // Built here so that the browser tests need not. The types take longest, so another processor is free in the
    // meantime.
    check("Page", [script("build.mjs"), "--if-stale"]),
  ]);
}

/**
 * Runs a program whose exit code is its result. Its output is printed at its end, because other programs run in
 * parallel.
 */
async function check(title: string, args: readonly string[]): Promise<StepResult> {
  const child = spawn(node26, ["--disable-warning=ExperimentalWarning", ...args], {
    cwd: root,
    stdio: ["ignore", "pipe", "pipe"],
  });
  const output: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on("data", (bytes) => output.push(bytes));
  const code = await new Promise<number | null>((resolve) => {
    child.once("error", () => resolve(1)).once("close", resolve);
  });
  console.log(`\n${title}`);
  process.stdout.write(Buffer.concat(output));
  return code === 0 ? { passed: 1, failedFiles: [], otherFailures: [] } : { passed: 0, failedFiles: [], otherFailures: [title] };
}

async function runTests(step: TestStep): Promise<StepResult> {
  const { title, projects, tagsFilter, changed, files = [] } = step;
  console.log(`\n${title}`);
  process.exitCode = undefined;
  const outputFile = join(reports, `${projects.join("-")}.json`);
  const vitest = await startVitest("test", files, {
    root,
    run: true,
    project: [...projects],
    ...(tagsFilter && { tagsFilter }),
    ...(changed && { changed }),
    reporters: files.length > 0 ? ["default"] : ["default", ["json", { outputFile }]],
  });
  const modules = vitest.state.getTestModules();
  const errors = vitest.state.getUnhandledErrors().map(readError);
  const failedFiles = modules.flatMap((module) => {
    const unhandled = errors.find(({ file }) => file === module.moduleId);
    return hasFailed(module) || unhandled ? [describeFailure(module, unhandled?.message, step)] : [];
  });
  const otherFailures = errors
    .filter(({ file }) => !modules.some((module) => module.moduleId === file))
    .map(({ message }) => `${title}: ${message}`);
  const passed = sum(modules, (module) => count(module, "passed"));
  const isExplained = failedFiles.length > 0 || otherFailures.length > 0;
  // Tests that are not found can't fail. Vitest also sets the exit code when it can't start.
  const isWrong = process.exitCode !== undefined || (passed === 0 && changed === undefined);
  if (isWrong && !isExplained) otherFailures.push(`${title}: the tests did not run`);
  return { passed, failedFiles, otherFailures };
}

/** True also for a file that could not be loaded, or whose process crashed. */
function hasFailed(module: TestModule): boolean {
  return module.state() !== "passed" && module.state() !== "skipped";
}

function describeFailure(module: TestModule, unhandled: string | undefined, step: TestStep): FailedFile {
  const [test] = module.children.allTests("failed");
  const error = test?.result().errors?.[0] ?? module.errors()[0];
  return {
    file: relative(root, module.moduleId),
    title: test?.fullName ?? "",
    error: error?.message ?? unhandled ?? "Its process ended before its tests did.",
    passed: count(module, "passed"),
    failed: Math.max(1, count(module, "failed")),
    step: { ...step, projects: [module.project.name] },
  };
}

/** Reads an error outside of all tests. Vitest records the file that was running. */
function readError(error: unknown): { file: string | undefined; message: string } {
  const file = typeof error === "object" && error !== null && Reflect.get(error, "VITEST_TEST_PATH");
  const message = typeof error === "object" && error !== null && Reflect.get(error, "message");
  return { file: typeof file === "string" ? file : undefined, message: String(message || error) };
}

function count(module: TestModule, state: "passed" | "failed"): number {
  return Array.from(module.children.allTests(state)).length;
}

function sum<Item>(items: readonly Item[], of: (item: Item) => number): number {
  return items.reduce((total, item) => total + of(item), 0);
}
