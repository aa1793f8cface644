import { appendFile } from "node:fs/promises";
import { readConfig } from "../../server/config.ts";
import { startServer } from "../../server/start.ts";
import { scriptedEngines, scriptedTranslation, segment } from "./scripted.ts";

/**
 * A server in a process of its own that a test can kill. Its engine writes a line to HEARD for each piece that it begins, and hangs for
 * ever in the piece after STOP_AFTER pieces. Prints its address when it is ready.
 */
const { HEARD = "", STOP_AFTER = "" } = process.env;
const stopAfter = STOP_AFTER === "" ? Number.POSITIVE_INFINITY : Number(STOP_AFTER);
let heard = 0;

async function transcribe(pcm: Buffer) {
  await appendFile(HEARD, `${pcm.length}\n`);
  heard += 1;
  if (heard > stopAfter) await new Promise(() => {});
  return [segment("one two", 0, 1)];
}

const running = await startServer(readConfig(process.env), {
  engines: scriptedEngines({ transcribe, parallel: 1 }),
  translation: scriptedTranslation(),
  print: () => {},
  workerTimes: { pollMs: 15, beatMs: 30 },
  liveTimes: { syncMs: 0 },
});
console.log(running.apiUrl);
