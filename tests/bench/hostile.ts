// Measures how long the largest requests of one person block the server's event loop. Run: npm run bench -- hostile
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { signInAgain, signUp } from "#tests/server/harness.ts";
import { fillHistory, promote, requestsOf, type Sizes, saveTalk } from "#tests/server/hostile.ts";
import { startWatched } from "#tests/server/watched.ts";
import { milliseconds, report } from "./figures.ts";

/** Processor time of the main thread, in ms, for which all other requests wait. */
const limit = 100;
/** Resident memory including threads, in MiB. */
const memoryLimit = 1_400;
/** Eleven hours of speech in 50,000 segments, which is a body of 8 MB; a history of 320 MB. */
const sizes: Sizes = { words: 95_000, segments: 50_000, edits: 400, texts: 320, textLength: 1_000_000 };

const dataDir = await mkdtemp(join(tmpdir(), "parlance-bench-"));
try {
  const first = await startWatched(dataDir);
  const person = await signUp(first);
  await first.close();
  await fillHistory(dataDir, person.email, sizes);
  await promote(dataDir, person.email);

  const server = await startWatched(dataDir);
  const again = await signInAgain(server, person);
  const id = await saveTalk(again, sizes);
  let residentMb = 0;
  for (const { name, send } of requestsOf(again, id, sizes)) {
    await server.held();
    const from = performance.now();
    await send();
    const taken = performance.now() - from;
    const held = await server.held();
    residentMb = Math.max(residentMb, held.residentMb);
    console.error(
      `${name}: answered after ${milliseconds(taken)}, delay ${milliseconds(held.delayMs)}, memory ${held.residentMb.toFixed(0)} MiB`,
    );
    report([
      {
        name: `Event loop held by ${name}`,
        value: milliseconds(held.cpuMs),
        limit: milliseconds(limit),
        ok: held.cpuMs <= limit,
      },
    ]);
  }
  const value = `${residentMb.toFixed(0)} MiB`;
  report([{ name: "Memory of the server meanwhile", value, limit: `${memoryLimit} MiB`, ok: residentMb <= memoryLimit }]);
  await server.close();
} finally {
  await rm(dataDir, { recursive: true, force: true });
}
