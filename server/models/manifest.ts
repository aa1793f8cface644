import { join } from "node:path";
import * as v from "valibot";
import { ModelCheck, ModelKind, ModelPurpose } from "#contract/index.ts";
import { readJsonFile } from "./json-file.ts";

/**
 * The file that marks a folder as an installed model: written last, before the rename that makes the folder visible.
 */
export const manifestName = "parlance-model.json";

export const Manifest = v.object({
  /** The version of this file's format. */
  version: v.literal(1),
  id: v.string(),
  purpose: ModelPurpose,
  kind: ModelKind,
  /** Base codes ("de"). */
  languages: v.array(v.string()),
  check: ModelCheck,
  source: v.picklist(["catalogue", "file"]),
  /** ISO 8601. */
  installedAt: v.pipe(v.string(), v.isoTimestamp()),
  /** Every file of the model: its path in the folder, with "/", and its bytes. */
  files: v.array(v.object({ path: v.string(), bytes: v.number() })),
});
export type Manifest = v.InferOutput<typeof Manifest>;

/** @returns undefined for a folder without one @throws Error when it is damaged */
export function readManifest(folder: string): Promise<Manifest | undefined> {
  return readJsonFile(join(folder, manifestName), Manifest);
}
