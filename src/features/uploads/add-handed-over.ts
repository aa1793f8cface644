import type { EnginesAnswer } from "#contract/index.ts";
import { canTranscribe } from "#src/api/engines.ts";
import { loadFileEngines } from "#src/features/engines/actor.ts";
import { chosenLanguages } from "#src/features/engines/chosen-languages.ts";
import { addFiles } from "./actor.ts";
import { takeHandedOver } from "./handed-over.ts";
import { plainOptions } from "./plain-options.ts";

/**
 * Starts the files that were dropped on the dashboard, in the last chosen languages.
 * @param use files: also into a language into which only the speech engine can translate
 */
export function addHandedOver(engines: EnginesAnswer, use: { files?: true } = {}): void {
  const files = takeHandedOver();
  if (files.length === 0 || !canTranscribe(engines)) return;
  addFiles(files, plainOptions(chosenLanguages(engines, use)), engines.limits.maxUploadBytes);
}

/**
 * Starts them without opening a page. @returns false when nothing can be transcribed: the files still wait
 * @throws ApiError
 */
export async function addOnDashboard(): Promise<boolean> {
  const engines = await loadFileEngines();
  if (!canTranscribe(engines)) return false;
  addHandedOver(engines, { files: true });
  return true;
}
