import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { TestProject } from "vitest/node";
import { sweepTemporaryFolders } from "#tests/fixtures/temporary-root.ts";

declare module "vitest" {
  interface ProvidedContext {
    /** The path of the folder for what this run's failed tests leave; made by the first of them. */
    tracesFolder: string;
  }
}

const traces = fileURLToPath(new URL("../../.tmp/traces", import.meta.url));
/** So many runs' traces there are at most, this one's included: what failed once in many runs is still there to be looked at. */
const runsKept = 5;

/** Vitest calls it once before all browser tests: the page that they see is the page of these sources. */
export default function setup({ provide }: TestProject): void {
  sweepTemporaryFolders();
  const earlier = existsSync(traces) ? readdirSync(traces).toSorted() : [];
  for (const name of earlier.slice(0, 1 - runsKept)) rmSync(join(traces, name), { recursive: true, force: true });
  // In the order of time. Colons are not for names of files everywhere.
  provide("tracesFolder", join(traces, `${new Date().toISOString().slice(0, 19).replaceAll(":", "-")}-${process.pid}`));
  const script = fileURLToPath(new URL("../../scripts/build.mjs", import.meta.url));
  execFileSync(process.execPath, [script, "--if-stale"], { stdio: ["ignore", "inherit", "inherit"] });
}
