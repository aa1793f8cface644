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
    /** The folder for traces of this run's failed tests; the first failed test creates it. */
    tracesFolder: string;
    /** The folder where workers record the servers that outlive them (harness-common.ts). */
    commonServers: string;
  }
}

const traces = fileURLToPath(new URL("../../.tmp/traces", import.meta.url));
/** Number of runs whose traces are kept, including this one, so that a rare failure can still be studied. */
const runsKept = 5;

/**
 * Vitest calls this once before all browser tests. It builds the page from the current sources.
 * @returns the teardown
 */
export default async function setup({ provide }: TestProject): Promise<() => void> {
  sweepTemporaryFolders();
  const earlier = existsSync(traces) ? readdirSync(traces).toSorted() : [];
  for (const name of earlier.slice(0, 1 - runsKept)) rmSync(join(traces, name), { recursive: true, force: true });
  // ISO time sorts by age. Colons are not allowed in file names everywhere.
  provide("tracesFolder", join(traces, `${new Date().toISOString().slice(0, 19).replaceAll(":", "-")}-${process.pid}`));
  const servers = await makeTemporaryFolder(tmpdir());
  provide("commonServers", servers);
  const script = fileURLToPath(new URL("../../scripts/build.mjs", import.meta.url));
  execFileSync(process.execPath, [script, "--if-stale"], { stdio: ["ignore", "inherit", "inherit"] });
  return () => endServers(servers);
}

const Noted = v.object({ dataDir: v.string(), pid: v.pipe(v.number(), v.integer(), v.minValue(2)) });

/**
 * Ends the recorded servers and deletes the folder.
 * @param folder the folder `commonServers`
 */
export function endServers(folder: string): void {
  for (const name of readdirSync(folder)) {
    const { dataDir, pid } = v.parse(Noted, JSON.parse(readFileSync(join(folder, name), "utf8")));
    if (isThatServer(dataDir, pid)) endGroup(pid);
    rmSync(dataDir, { recursive: true, force: true, maxRetries: 5 });
  }
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Whether the process is still that server: its number may belong to another process by now. The data folder proves
 * little, because another run deletes it as soon as its worker has ended.
 */
function isThatServer(dataDir: string, pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, "utf8").split("\0").includes(`PARLANCE_DATA=${dataDir}`);
  } catch {
    // No such process, or a system without /proc.
    return existsSync(dataDir);
  }
}

/** Kills the process and its children, without any clean-up. */
function endGroup(pid: number): void {
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ESRCH")) throw error;
  }
}
