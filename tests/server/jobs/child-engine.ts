import { appendFile } from "node:fs/promises";
import type { SpeechEngine } from "#server/speech/engine.ts";
import { scriptedEngines, scriptedTranslation, segment } from "./scripted.ts";

/**
 * Parts of a server in its own process, configured by its environment. The engine appends a line to PIECES for each
 * piece it begins, and its process id to PIECES.by. The piece after STOP_AFTER pieces never ends.
 */
export function childParts() {
  const { PIECES = "", STOP_AFTER = "", PARALLEL = "1" } = process.env;
  const stopAfter = STOP_AFTER === "" ? Number.POSITIVE_INFINITY : Number(STOP_AFTER);
  let begun = 0;
  const transcribe: SpeechEngine["transcribe"] = async (pcm) => {
    await appendFile(`${PIECES}.by`, `${process.pid}\n`);
    await appendFile(PIECES, `${pcm.length}\n`);
    begun += 1;
    if (begun > stopAfter) await new Promise(() => {});
    return [segment("one two", 0, 1)];
  };
  return {
    engines: scriptedEngines({ transcribe, parallel: Number(PARALLEL) }),
    translation: scriptedTranslation(),
    workerTimes: { pollMs: 15, beatMs: 30, interruptedMs: 10 },
  };
}
