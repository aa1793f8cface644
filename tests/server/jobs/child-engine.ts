import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { appendFile } from "node:fs/promises";
import { setTimeout } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { SpeechEngine } from "#server/speech/engine.ts";
import { scriptedEngines, scriptedTranslation, segment } from "./scripted.ts";

/** Length of the recording that ends the process that hears it, in seconds. */
export const poisonSeconds = 7;

/**
 * What a server in a process of its own works with, set by its environment: a line is written to HEARD for each piece that is
 * begun (to HEARD.by the process's id), and the piece after STOP_AFTER pieces never ends. With POISON a piece of `poisonSeconds` crashes its process: `abort`
 * aborts it; `hang` kills the server's process and keeps the quarantine's busy for ever. POISON_BYTES is another length of the poisonous
 * piece. With GATE no piece ends before a file with that path exists; what is stopped before is written to HEARD.stopped (the process's
 * id). With SAYS a piece's text is a hash of its sound.
 */
export function childParts(isQuarantine: boolean) {
  const { HEARD = "", STOP_AFTER = "", POISON = "", PARALLEL = "1", OWN_QUARANTINE = "", GATE, SAYS } = process.env;
  const poisonBytes = Number(process.env.POISON_BYTES ?? poisonSeconds * 32_000);
  const program = fileURLToPath(
    new URL(OWN_QUARANTINE ? "../../../server/quarantine.ts" : "child-quarantine.ts", import.meta.url),
  );
  const stopAfter = STOP_AFTER === "" ? Number.POSITIVE_INFINITY : Number(STOP_AFTER);
  let heard = 0;
  const transcribe: SpeechEngine["transcribe"] = async (pcm, { signal }) => {
    await appendFile(`${HEARD}.by`, `${process.pid}\n`);
    await appendFile(HEARD, `${pcm.length}\n`);
    if (pcm.length === poisonBytes) endProcess(POISON, isQuarantine);
    heard += 1;
    if (heard > stopAfter) await new Promise(() => {});
    if (GATE !== undefined && !(await opened(GATE, signal))) await appendFile(`${HEARD}.stopped`, `${process.pid}\n`);
    const says = SAYS === undefined ? "one two" : createHash("sha256").update(pcm).digest("hex").slice(0, 12);
    return [segment(says, 0, 1)];
  };
  return {
    engines: scriptedEngines({ transcribe, parallel: Number(PARALLEL) }),
    translation: scriptedTranslation(),
    workerTimes: { pollMs: 15, beatMs: 30 },
    // A process that is merely slow, on a machine that is busy, must not be taken for one that hangs.
    quarantine: { program, pollMs: 15, killedWaitMs: 20, silentMs: OWN_QUARANTINE ? 15_000 : 4_000 },
  };
}

/** Resolves when there is such a file: true, or when it is stopped: false. */
async function opened(path: string, signal: AbortSignal | undefined): Promise<boolean> {
  while (!existsSync(path)) {
    if (signal?.aborted === true) return false;
    await setTimeout(15);
  }
  return true;
}

/** A process that hangs does so without computing: the tests beside this one need the processor. */
function endProcess(how: string, isQuarantine: boolean): void {
  if (how === "abort") process.abort();
  if (how === "hang" && !isQuarantine) process.kill(process.pid, "SIGKILL");
  if (how === "hang") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
}
