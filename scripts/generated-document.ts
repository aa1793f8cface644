import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "./tools.mjs";

/**
 * Writes a generated document. With --check, it only exits with 1 when the document is out of date.
 * @param path from the root of the repository
 * @param command that writes it, such as "npm run docs:machines"
 */
export function writeOrCheck(path: string, wanted: string, command: string): void {
  const file = join(root, path);
  if (!process.argv.includes("--check")) writeFileSync(file, wanted);
  else if (current(file) !== wanted) {
    console.error(`${path} is out of date: run \`${command}\` and commit what it writes.`);
    process.exit(1);
  }
}

function current(file: string): string | undefined {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}
