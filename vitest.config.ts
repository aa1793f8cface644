import { defineConfig } from "vitest/config";

/** Milliseconds: speech and browsers take their time on a slow machine; machines and page code must not. */
const quick = 5_000;
const walk = 40_000;
const server = 60_000;
const browser = 180_000;

export default defineConfig({
  test: {
    passWithNoTests: true,
    projects: [
      { test: { name: "machines", include: ["tests/machines/**/*.test.{ts,tsx}"], testTimeout: quick } },
      { test: { name: "paths", include: ["tests/paths/**/*.test.ts"], testTimeout: walk } },
      { test: { name: "page", include: ["tests/page/**/*.test.{ts,tsx}"], testTimeout: quick } },
      {
        test: {
          name: "server",
          include: ["tests/server/**/*.test.ts"],
          testTimeout: server,
          hookTimeout: server,
          pool: "forks",
          maxWorkers: 3,
          // The server's modules are loaded once in each process, and not again for each file.
          isolate: false,
          globalSetup: "tests/server/harness-database.ts",
          // For the processes and threads that servers start: compiling the server's modules takes longer than what they do.
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
          // Much of their time is waiting for somebody to finish speaking.
          maxWorkers: 2,
          // The files of a worker share its modules and its browser (harness-shared.ts), which take as long to load as a test to run.
          isolate: false,
          globalSetup: "tests/browser/harness-build.ts",
          setupFiles: "tests/browser/harness-each.ts",
        },
      },
    ],
  },
});
