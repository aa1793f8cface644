import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { temporaryFolder } from "#tests/server/harness.ts";

export const badProgram = fileURLToPath(new URL("./programs/bad-engine.ts", import.meta.url));

/**
 * How programs/bad-engine.ts behaves at its start and for requests of a given number of samples. Everything else works.
 */
export type BadScript = Record<string, string>;

/** The script of an engine's processes. It can be changed while they run. */
export async function badScript(first: BadScript): Promise<{ path: string; change(script: BadScript): Promise<void> }> {
  const path = join(await temporaryFolder(), "script.json");
  const change = (script: BadScript) => writeFile(path, JSON.stringify(script));
  await change(first);
  return { path, change };
}
