import { randomUUID } from "node:crypto";
import { open, readFile, rename, rm } from "node:fs/promises";
import { dirname } from "node:path";
import * as v from "valibot";
import { errorCodeOf } from "#server/common/problem.ts";

/**
 * Reads a small JSON file.
 * @returns undefined when there is none
 * @throws Error when it is no JSON, or another JSON than the schema's
 */
export async function readJsonFile<Output>(path: string, schema: v.GenericSchema<unknown, Output>): Promise<Output | undefined> {
  let text: string;
  try {
    text = await readFile(path, "utf8");
  } catch (error) {
    if (errorCodeOf(error) === "ENOENT") return undefined;
    throw error;
  }
  return v.parse(v.pipe(v.string(), v.parseJson(), schema), text);
}

/** Writes a JSON file that is always whole: beside, flushed, and renamed. */
export async function writeJsonFile(path: string, value: unknown): Promise<void> {
  const beside = `${path}.${randomUUID()}.new`;
  try {
    await using handle = await open(beside, "wx", 0o644);
    await handle.writeFile(`${JSON.stringify(value, undefined, 2)}\n`);
    await handle.sync();
    await rename(beside, path);
  } catch (error) {
    await rm(beside, { force: true });
    throw error;
  }
  await syncFolder(dirname(path));
}

/** A rename is durable only when the folder is flushed too. */
export async function syncFolder(path: string): Promise<void> {
  await using handle = await open(path, "r");
  await handle.sync();
}
