import { availableParallelism } from "node:os";
import { playwright } from "@vitest/browser-playwright";
import { defineConfig } from "vitest/config";
import type { InlineConfig } from "vitest/node";
import { findChromium, findHeadlessShell } from "./scripts/tools.mjs";
import { timeLimit } from "./tests/fixtures/time-limit.ts";
import LongestFirst from "./tests/longest-first.ts";
import { withoutDatabase } from "./tests/server/without-database.ts";
import { measureSlowness } from "./tests/slowness.ts";

// Read by timeLimit(), here and in the processes that run the tests.
process.env.TEST_SLOWNESS = String(await measureSlowness());

/**
 * The time limits of tests in ms, for a machine under ten times its capacity: a test that fails because it is slow
 * fails at random. Promised speed is asserted in processor time (tests/fixtures/cpu-time.ts).
 */
const limits = {
  machines: timeLimit(60_000),
  page: timeLimit(60_000),
  paths: timeLimit(180_000),
  server: timeLimit(120_000),
  browser: timeLimit(360_000),
  grown: timeLimit(300_000),
};

/** Groups of projects run in sequence: their workers differ, and a parallel group would slow a test down. */
const order = { computing: 0, components: 1, server: 2, browser: 3, grown: 4, serverOnPostgres: 5, grownTopology: 6 } as const;
/** For `expect.poll`: Vitest's own limit is a second. */
const patient = { expect: { poll: { timeout: timeLimit(50_000), interval: 20 } } } as const;
/** For the processes and threads that servers start: compiling the server's modules takes longer than their work. */
const env = { NODE_COMPILE_CACHE: `${import.meta.dirname}/.tmp/compile-cache` };

/** Chromium's headless shell crashes when a page asks it which languages it recognizes itself. */
const componentFlags = [
  "--no-sandbox",
  "--disable-gpu",
  "--disable-blink-features=OnDeviceWebSpeechAvailable",
  // A fake microphone that beeps, with permission.
  "--use-fake-device-for-media-stream",
  "--use-fake-ui-for-media-stream",
];

/** The built page in a browser. */
const inBrowser = {
  ...patient,
  testTimeout: limits.browser,
  hookTimeout: limits.browser,
  pool: "forks",
  // Three take 554 s instead of 670.
  maxWorkers: 3,
  // The files of a worker share its modules and its browser (harness-shared.ts), which take as long to load as a test
  // takes.
  isolate: false,
  globalSetup: "tests/browser/harness-build.ts",
  setupFiles: "tests/browser/harness-each.ts",
} as const;

/**
 * Browser tests that also run with several processes behind a proxy. Some other tests need a single process: a folder
 * for installed models (engines/, voice-profiles/, transcription/speakers), a process that is stopped
 * (transcriptions/deletion), a database file (blog/, landing/, inbox/, subscription/walk), backups of one machine
 * (admin/). Some check short-lived states, which five more busy processes would disturb (translator/live-translation).
 * The rest uses the same calls as these, and would take another quarter of an hour.
 */
const throughTopology = [
  "tests/browser/dictation/dictation.test.ts",
  "tests/browser/session/session.test.ts",
  "tests/browser/uploads/upload.test.ts",
];

/** Machines, page and paths compute all the time: one worker for each processor. */
const computing = {
  ...patient,
  hookTimeout: timeLimit(10_000),
  maxWorkers: Math.max(2, availableParallelism()),
  sequence: { groupOrder: order.computing },
};

/** For tests with the server in their own process. */
const leftOpen = "tests/left-open.ts";

const onServer: Pick<
  InlineConfig,
  "setupFiles" | "include" | "expect" | "testTimeout" | "hookTimeout" | "pool" | "maxWorkers" | "isolate"
> = {
  ...patient,
  setupFiles: leftOpen,
  include: ["tests/server/**/*.test.ts"],
  testTimeout: limits.server,
  hookTimeout: limits.server,
  pool: "forks",
  // More than processors: much of their time is waiting for the disk and for other processes.
  maxWorkers: Math.max(4, availableParallelism()),
  // The server's modules are loaded once in each worker, not for each file.
  isolate: false,
};

export default defineConfig({
  test: {
    passWithNoTests: true,
    sequence: { sequencer: LongestFirst },
    tags: [{ name: "quick", description: "The main path of a feature in the browser, which `npm test` takes." }],
    projects: [
      {
        test: {
          ...computing,
          name: "machines",
          include: ["tests/machines/**/*.test.{ts,tsx}"],
          testTimeout: limits.machines,
          // Machine tests leave nothing in the process, so each worker loads modules only once.
          isolate: false,
        },
      },
      { test: { ...computing, name: "paths", include: ["tests/paths/**/*.test.ts"], testTimeout: limits.paths, isolate: false } },
      {
        test: {
          ...computing,
          name: "page",
          include: ["tests/page/**/*.test.{ts,tsx}"],
          testTimeout: limits.page,
          // A process for each file takes twice as long as the tests.
          isolate: false,
          setupFiles: "tests/page/harness-each.ts",
          // i18next stores the language of a test file. As a module of the page, each file has its own.
          server: { deps: { inline: ["i18next"] } },
        },
      },
      {
        extends: "./vite.config.ts",
        // React as people have it: what it does for developers takes a fifth of the time.
        define: { "process.env.NODE_ENV": JSON.stringify("production") },
        resolve: { conditions: ["module", "browser", "production"] },
        plugins: [{ name: "plain-jsx", enforce: "post", config: () => ({ oxc: { jsx: { development: false } } }) }],
        // Vite would reload the page if it found these while tests run.
        optimizeDeps: {
          include: [
            "axe-core",
            "mediabunny",
            "@mswjs/interceptors/fetch",
            "@mswjs/interceptors/WebSocket",
            "@mswjs/interceptors/XMLHttpRequest",
          ],
        },
        test: {
          ...patient,
          name: "components",
          // Several runs at the same time have a port each.
          api: { strictPort: false },
          include: ["tests/components/**/*.test.{ts,tsx}"],
          testTimeout: limits.page,
          hookTimeout: limits.page,
          setupFiles: "tests/components/harness-each.ts",
          isolate: false,
          maxWorkers: 4,
          sequence: { groupOrder: order.components },
          browser: {
            enabled: true,
            headless: true,
            viewport: { width: 1280, height: 800 },
            screenshotFailures: false,
            locators: { exact: false },
            provider: playwright({
              launchOptions: { executablePath: findHeadlessShell() ?? findChromium(), args: componentFlags },
              contextOptions: { locale: "en-GB", timezoneId: "Europe/Berlin", reducedMotion: "reduce" },
              actionTimeout: timeLimit(10_000),
            }),
            instances: [{ browser: "chromium" }],
          },
        },
      },
      {
        test: {
          ...onServer,
          name: "server",
          sequence: { groupOrder: order.server },
          env,
          globalSetup: "tests/server/harness-database.ts",
        },
      },
      {
        test: {
          // The same tests with PostgreSQL as the servers' database: `npm run test:postgres`. Tests of recognition,
          // translation and models are left out, because they use the database little or not at all.
          ...onServer,
          name: "server-postgres",
          // The one file is about the database's files.
          exclude: [
            "tests/server/{engines,models,speech,translation}/**",
            "tests/server/processes/data-folder.test.ts",
            ...withoutDatabase,
          ],
          sequence: { groupOrder: order.serverOnPostgres },
          env: { ...env, PARLANCE_TEST_DATABASE: "postgres" },
          globalSetup: ["tests/server/harness-database.ts", "tests/grown/harness-postgres.ts"],
        },
      },
      {
        test: {
          // Several processes, real PostgreSQL and S3, faults made on purpose, and the limits.
          ...patient,
          name: "grown",
          setupFiles: leftOpen,
          include: ["tests/grown/**/*.test.ts"],
          exclude: ["tests/grown/browser/**"],
          testTimeout: limits.grown,
          hookTimeout: limits.grown,
          pool: "forks",
          maxWorkers: 2,
          sequence: { groupOrder: order.grown },
          isolate: false,
          globalSetup: ["tests/server/harness-database.ts", "tests/grown/harness-postgres.ts"],
          env: { ...env, WALKS: "outages" },
        },
      },
      {
        test: { ...inBrowser, name: "browser", include: ["tests/browser/**/*.test.ts"], sequence: { groupOrder: order.browser } },
      },
      {
        test: {
          ...inBrowser,
          name: "grown-browser",
          include: ["tests/grown/browser/**/*.test.ts"],
          sequence: { groupOrder: order.browser },
        },
      },
      {
        test: {
          // The browser project's own tests, on two processes behind a proxy, with three workers, PostgreSQL and S3
          // (tests/grown/harness-topology.ts).
          ...inBrowser,
          name: "grown-topology",
          include: throughTopology,
          maxWorkers: 2,
          globalSetup: [inBrowser.globalSetup, "tests/grown/harness-postgres.ts"],
          sequence: { groupOrder: order.grownTopology },
          env: { ...env, PARLANCE_TOPOLOGY: "1" },
        },
      },
    ],
  },
});
