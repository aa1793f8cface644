import { mkdir } from "node:fs/promises";
import { join, relative } from "node:path";
import { afterAll, afterEach, beforeEach, inject } from "vitest";
import { root } from "#scripts/tools.mjs";
import { timeLimit } from "#tests/fixtures/time-limit.ts";
import { browserDefaults, openedVisits, type Visit } from "./harness-browser.ts";
import { startedServers } from "./harness-server.ts";

browserDefaults.shell = true;
browserDefaults.traces = true;
browserDefaults.reuse = true;
// For a machine with ten times its capacity of work: Playwright's 30 s are too short for speech there.
browserDefaults.timeoutMs = timeLimit(120_000);
// Other tests use the other processors: V8's helper threads cost 6 % more in total than they save.
browserDefaults.flags = ["--js-flags=--single-threaded"];

/** Visits that the file's hooks opened for all of its tests. */
let filesVisits: readonly Visit[] = [];
beforeEach(() => {
  filesVisits = [...openedVisits];
});

// After each browser test: the page's complaints fail the test, and logs and traces of a failed test are kept.
afterEach(async ({ task }) => {
  const complaints = openedVisits.flatMap((visit) => visit.takeUnexpected());
  if (task.result?.state === "fail" || complaints.length > 0) {
    for (const server of startedServers) console.error(`Parlance at ${server.url} said:\n${server.log()}`);
    await saveTraces(`${task.file.name} ${task.name}`);
  }
  startedServers.splice(0, startedServers.length, ...startedServers.filter((server) => server.isWanted()));
  // A test that timed out has not closed its visits.
  await endVisits(filesVisits);
  if (complaints.length > 0) throw new Error(`The page reported problems:\n${complaints.join("\n")}`);
});
// The browser stays open for the next file.
afterAll(() => endVisits([]));

/**
 * Ends all other visits.
 * @param kept the visits that stay open
 */
async function endVisits(kept: readonly Visit[]): Promise<void> {
  const over = openedVisits.filter((visit) => !kept.includes(visit));
  openedVisits.splice(0, openedVisits.length, ...kept);
  await Promise.all(over.map((visit) => visit.end()));
}

/**
 * Saves a trace of each visit of the test, open or closed.
 * @param name the test's name
 */
async function saveTraces(name: string): Promise<void> {
  const folder = inject("tracesFolder");
  await mkdir(folder, { recursive: true });
  const words = name.replace(/^tests\/browser\/|\.test\.ts/g, "").replace(/[^a-z0-9]+/gi, "-");
  for (const [index, visit] of openedVisits.entries()) {
    const path = join(folder, `${words.slice(0, 120)}-${index + 1}.zip`);
    console.error(`Visit ${index + 1} was last seen at ${await visit.lastSeen()}`);
    try {
      await visit.saveTrace(path);
      console.error(`Trace: npx playwright show-trace --port 0 ${relative(root, path)}`);
    } catch (error) {
      // The test has closed the browser itself; this error must not hide the failure.
      console.error(`No trace of visit ${index + 1}: ${error}`);
    }
  }
}
