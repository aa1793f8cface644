import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { dirname } from "node:path";
import * as v from "valibot";
import { errorCodeOf } from "#server/errors/problem.ts";
import { replaceFile, syncFolder } from "#server/storage/files.ts";

/**
 * Reads a small JSON file.
 * @returns undefined if it does not exist
 * @throws Error for invalid JSON, or JSON that does not fit the schema
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

/** Writes a JSON file that is always whole. */
export async function writeJsonFile(path: string, value: unknown): Promise<void> {
  await replaceFile(path, `${path}.${randomUUID()}.new`, `${JSON.stringify(value, undefined, 2)}\n`, 0o644);
  await syncFolder(dirname(path));
}
