import type { EnginesAnswer } from "#contract/index.ts";
import { canTranscribe } from "#src/api/engines.ts";
import { chosenLanguages } from "#src/features/engines/chosen-languages.ts";
import { addFiles } from "./actor.ts";
import { takeHandedOver } from "./handed-over.ts";
import { plainOptions } from "./plain-options.ts";

/** Begins with the files that were dropped on the dashboard, in the languages chosen last. */
export function addHandedOver(engines: EnginesAnswer): void {
  const files = takeHandedOver();
  if (files.length === 0 || !canTranscribe(engines)) return;
  addFiles(files, plainOptions(chosenLanguages(engines)), engines.limits.maxUploadBytes);
}
