import { appendFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";
import { scriptedEngines, scriptedTranslation, segment } from "./scripted.ts";

/** Length of the recording that ends the process that hears it, in seconds. */
export const poisonSeconds = 7;

/**
 * What a server in a process of its own works with, set by its environment: a line is written to HEARD for each piece that is
 * begun (to HEARD.by the process's id), and the piece after STOP_AFTER pieces never ends. With POISON a piece of `poisonSeconds` crashes its process: `abort`
 * aborts it; `hang` kills the server's process and keeps the quarantine's busy for ever.
 */
export function childParts(isQuarantine: boolean) {
  const { HEARD = "", STOP_AFTER = "", POISON = "", PARALLEL = "1", OWN_QUARANTINE = "" } = process.env;
  const program = fileURLToPath(
    new URL(OWN_QUARANTINE ? "../../../server/quarantine.ts" : "child-quarantine.ts", import.meta.url),
  );
  const stopAfter = STOP_AFTER === "" ? Number.POSITIVE_INFINITY : Number(STOP_AFTER);
  let heard = 0;
  const transcribe = async (pcm: Buffer) => {
    await appendFile(`${HEARD}.by`, `${process.pid}\n`);
    await appendFile(HEARD, `${pcm.length}\n`);
    if (pcm.length === poisonSeconds * 32_000) endProcess(POISON, isQuarantine);
    heard += 1;
    if (heard > stopAfter) await new Promise(() => {});
    return [segment("one two", 0, 1)];
  };
  return {
    engines: scriptedEngines({ transcribe, parallel: Number(PARALLEL) }),
    translation: scriptedTranslation(),
    workerTimes: { pollMs: 15, beatMs: 30 },
    // A process that is merely slow, on a machine that is busy, must not be taken for one that hangs.
    quarantine: { program, pollMs: 15, killedWaitMs: 20, silentMs: OWN_QUARANTINE ? 15_000 : 4_000 },
  };
}

/** A process that hangs does so without computing: the tests beside this one need the processor. */
function endProcess(how: string, isQuarantine: boolean): void {
  if (how === "abort") process.abort();
  if (how === "hang" && !isQuarantine) process.kill(process.pid, "SIGKILL");
  if (how === "hang") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}
