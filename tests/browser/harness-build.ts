import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

/** Vitest calls it once before all browser tests: the page that they see is the page of these sources. */
export default function buildPage(): void {
  const script = fileURLToPath(new URL("../../scripts/build.mjs", import.meta.url));
  execFileSync(process.execPath, [script, "--if-stale"], { stdio: ["ignore", "inherit", "inherit"] });
}
