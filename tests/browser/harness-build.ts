import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import * as v from "valibot";
import type { TestProject } from "vitest/node";
import { makeTemporaryFolder, sweepTemporaryFolders } from "#tests/fixtures/temporary-root.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The path of the folder for what this run's failed tests leave; made by the first of them. */
    tracesFolder: string;
    /** The path of the folder where workers write down the servers that outlive them (harness-common.ts). */
    commonServers: string;
  }
}

const traces = fileURLToPath(new URL("../../.tmp/traces", import.meta.url));
/** So many runs' traces there are at most, this one's included: what failed once in many runs is still there to be looked at. */
const runsKept = 5;

/** Vitest calls it once before all browser tests: the page that they see is the page of these sources. @returns what it calls after them */
export default async function setup({ provide }: TestProject): Promise<() => void> {
  sweepTemporaryFolders();
  const earlier = existsSync(traces) ? readdirSync(traces).toSorted() : [];
  for (const name of earlier.slice(0, 1 - runsKept)) rmSync(join(traces, name), { recursive: true, force: true });
  // In the order of time. Colons are not for names of files everywhere.
  provide("tracesFolder", join(traces, `${new Date().toISOString().slice(0, 19).replaceAll(":", "-")}-${process.pid}`));
  const servers = await makeTemporaryFolder(tmpdir());
  provide("commonServers", servers);
  const script = fileURLToPath(new URL("../../scripts/build.mjs", import.meta.url));
  execFileSync(process.execPath, [script, "--if-stale"], { stdio: ["ignore", "inherit", "inherit"] });
  return () => endServers(servers);
}

const Noted = v.object({ dataDir: v.string(), pid: v.pipe(v.number(), v.integer(), v.minValue(2)) });

/** @param folder of `commonServers`; goes, too */
export function endServers(folder: string): void {
  for (const name of readdirSync(folder)) {
    const { dataDir, pid } = v.parse(Noted, JSON.parse(readFileSync(join(folder, name), "utf8")));
    if (isThatServer(dataDir, pid)) endGroup(pid);
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
  rmSync(folder, { recursive: true, force: true });
}

/**
 * One that has ended: its number may be somebody else's by now. Its folder says little of that: it belonged to a worker, and another run
 * sweeps it away as soon as that has ended, which is before this.
 */
function isThatServer(dataDir: string, pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").includes(`PARLANCE_DATA=${dataDir}`);
  } catch {
    // No such process; or a system that does not tell.
    return existsSync(dataDir);
  }
}

/** With all that it has started. Nothing of it is wanted any more: it need not tidy up. */
function endGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}
