import { afterEach } from "vitest";
import { browserDefaults, openedVisits } from "./harness-browser.ts";
import { startedServers } from "./harness-server.ts";

browserDefaults.shell = true;

// After each browser test: what the page complained about fails it, and what a failed one needs to be understood is printed.
afterEach(({ task }) => {
  const complaints = openedVisits.flatMap((visit) => visit.takeUnexpected());
  if (task.result?.state === "fail" || complaints.length > 0) {
    for (const server of startedServers) console.error(`Parlance at ${server.url} said:\n${server.log()}`);
  }
  startedServers.splice(0, startedServers.length, ...startedServers.filter((server) => server.isWanted()));
  openedVisits.splice(0, openedVisits.length, ...openedVisits.filter((visit) => !visit.page.isClosed()));
  if (complaints.length > 0) throw new Error(`The page reported problems:\n${complaints.join("\n")}`);
});
