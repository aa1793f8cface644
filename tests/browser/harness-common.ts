import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { inject } from "vitest";
import { openDatabase } from "./harness-data.ts";
import { type Parlance, startedServers, startParlance } from "./harness-server.ts";

// One server for many files of a worker. It ends with the run (harness-build.ts), or after a file with failed tests.

let common: Parlance | undefined;

export const commonParlance = {
  /** Returns the worker's server, starts it if needed, and clears the counted attempts of this machine. */
  take: async (): Promise<Parlance> => {
    if (common?.isWanted() && common.isRunning()) {
      forgetAttempts(common);
      startedServers.push(common);
      return common;
    }
    common = await startParlance();
    note(common);
    return common;
  },
  /** Releases the server after a file, so that a failed test prints the logs of its own servers only. */
  release: (): void => {
    if (common !== undefined) startedServers.splice(0, startedServers.length, ...startedServers.filter((one) => one !== common));
  },
};

/**
 * Gives each file the full number of attempts per address and hour (server/session/throttle.ts), as with a server of
 * its own.
 */
function forgetAttempts(server: Parlance): void {
  using db = openDatabase(server);
  db.exec("delete from attempts");
}

/** Records the server, so that it can be found when its worker is gone. */
function note(server: Parlance): void {
  for (const { dataDir, pid } of server.processes()) {
    writeFileSync(join(inject("commonServers"), `${pid}`), JSON.stringify({ dataDir, pid }));
  }
}
