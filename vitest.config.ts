import { availableParallelism } from "node:os";
import { defineConfig } from "vitest/config";
import LongestFirst from "./tests/longest-first.ts";

/** Milliseconds: speech and browsers take their time on a slow machine; machines and page code must not. */
const quick = 5_000;
const walk = 40_000;
const server = 60_000;
const browser = 180_000;
const grown = 300_000;

/** Groups of projects run one after another: their workers differ, and what runs beside it may take a test's time away. */
const order = { computing: 0, server: 1, browser: 2, grown: 3 } as const;
/** Machines, page and paths compute all the time: one worker for each processor. */
const computing = { maxWorkers: Math.max(2, availableParallelism()), sequence: { groupOrder: order.computing } };

export default defineConfig({
  test: {
    passWithNoTests: true,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        test: {
          ...computing,
          name: "machines",
          include: ["tests/machines/**/*.test.{ts,tsx}"],
          testTimeout: quick,
          // Nothing that a machine's test does stays in the process: modules are loaded once in each worker, not for each file.
          isolate: false,
        },
      },
      { test: { ...computing, name: "paths", include: ["tests/paths/**/*.test.ts"], testTimeout: walk, isolate: false } },
      { test: { ...computing, name: "page", include: ["tests/page/**/*.test.{ts,tsx}"], testTimeout: quick } },
      {
        test: {
          name: "server",
          include: ["tests/server/**/*.test.ts"],
          testTimeout: server,
          hookTimeout: server,
          pool: "forks",
          // More than processors: much of their time is waiting for the disk and for other processes.
          maxWorkers: Math.max(3, availableParallelism() - 1),
          sequence: { groupOrder: order.server },
          // The server's modules are loaded once in each worker, not for each file.
          isolate: false,
          globalSetup: "tests/server/harness-database.ts",
          // For the processes and threads that servers start: compiling the server's modules takes longer than what they do.
          env: { NODE_COMPILE_CACHE: `${import.meta.dirname}/.tmp/compile-cache` },
        },
      },
      {
        test: {
          // Several processes, real PostgreSQL and S3, and faults made on purpose: `npm run test:grown`.
          name: "grown",
          include: ["tests/grown/**/*.test.ts"],
          testTimeout: grown,
          hookTimeout: grown,
          pool: "forks",
          maxWorkers: 2,
          sequence: { groupOrder: order.grown },
          isolate: false,
          globalSetup: "tests/grown/harness-postgres.ts",
          env: { NODE_COMPILE_CACHE: `${import.meta.dirname}/.tmp/compile-cache` },
        },
      },
      {
        test: {
          name: "browser",
          include: ["tests/browser/**/*.test.ts"],
          testTimeout: browser,
          hookTimeout: browser,
          pool: "forks",
          // Three take 554 s instead of 670, and quota.test.ts failed once among them: its cause comes first.
          maxWorkers: 3,
          sequence: { groupOrder: order.browser },
          // The files of a worker share its modules and its browser (harness-shared.ts), which take as long to load as a test to run.
          isolate: false,
          globalSetup: "tests/browser/harness-build.ts",
          setupFiles: "tests/browser/harness-each.ts",
        },
      },
    ],
  },
});
