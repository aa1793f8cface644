import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { inject } from "vitest";
import { openDatabase } from "./harness-data.ts";
import { type Parlance, startedServers, startParlance } from "./harness-server.ts";

// One server for many files of a worker. It ends with the run (harness-build.ts), or after a file whose tests have failed.

let common: Parlance | undefined;

export const commonParlance = {
  /** The worker's server, started where there is none, and with nothing that was counted of this machine before. */
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
  /** A file is done with it. What is printed of a failed test is of the servers that it has started. */
  release: (): void => {
    if (common !== undefined) startedServers.splice(0, startedServers.length, ...startedServers.filter((one) => one !== common));
  },
};

/** Every file has the attempts that an address has within an hour (server/session/throttle.ts), as it would with a server of its own. */
function forgetAttempts(server: Parlance): void {
  using db = openDatabase(server);
  db.exec("delete from attempts");
}

/** So that it is found when the worker is gone. */
function note(server: Parlance): void {
  for (const { dataDir, pid } of server.processes()) {
    writeFileSync(join(inject("commonServers"), `${pid}`), JSON.stringify({ dataDir, pid }));
  }
}
