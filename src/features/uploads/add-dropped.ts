import { canTranscribe } from "#src/api/engines.ts";
import { loadFileEngines } from "#src/features/engines/actor.ts";
import { chosenLanguages } from "#src/features/engines/chosen-languages.ts";
import { addFiles } from "./actor.ts";
import { plainOptions } from "./plain-options.ts";

/**
 * Begins with files about which nothing was said, in the languages chosen last.
 * @returns whether it has begun: not while the server can't be asked, or can't transcribe
 */
export async function addDropped(files: readonly File[]): Promise<boolean> {
  const engines = await loadFileEngines().catch(() => null);
  if (engines === null || !canTranscribe(engines)) return false;
  const languages = chosenLanguages(engines, { files: true });
  addFiles(files, plainOptions(languages), engines.limits.maxUploadBytes);
  return true;
}
