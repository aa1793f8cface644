import { execFileSync } from "node:child_process";
import { rmSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { sweepTemporaryFolders } from "#tests/fixtures/temporary-root.ts";

/** What failed tests leave: traces of the last run alone. */
export const tracesFolder = fileURLToPath(new URL("../../.tmp/traces", import.meta.url));

/** Vitest calls it once before all browser tests: the page that they see is the page of these sources. */
export default function buildPage(): void {
  sweepTemporaryFolders();
  rmSync(tracesFolder, { recursive: true, force: true });
  const script = fileURLToPath(new URL("../../scripts/build.mjs", import.meta.url));
  execFileSync(process.execPath, [script, "--if-stale"], { stdio: ["ignore", "inherit", "inherit"] });
}
