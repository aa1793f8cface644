import process from "node:process";
import { expect, test } from "vitest";
import { Transcription } from "#contract/index.ts";
import { maxCrashes } from "#server/jobs/claim-queries.ts";
import { asPerson, eventually, type Person, read, settled, signUp, temporaryFolder, upload } from "#tests/server/harness.ts";
import { buzzWav } from "#tests/server/jobs/scripted.ts";
import { heard, heardBy, startChild } from "#tests/server/jobs/spawned.ts";

// Kills a server and its quarantine more often than any job may be started.

/** As many crashes end a job; the first death of a server only makes it a suspect. */
const deaths = { server: maxCrashes + 1, quarantine: maxCrashes };
const times = `${deaths.server} times, and whose quarantine is killed ${deaths.quarantine} times`;

const begun = (dataDir: string, count: number) =>
  eventually(
    () => heard(dataDir).catch(() => []),
    (pieces) => pieces.length >= count,
  );
const send = async (person: Person, seconds: number) =>
  (await read(await upload(person, buzzWav(seconds)), 202, Transcription)).id;

// PROMISE uploads: A killed server goes on from the last finished piece; no job fails
test(`a server that is killed ${times}, gives up no innocent recording that they were at`, async () => {
  const dataDir = await temporaryFolder();
  let child = await startChild(dataDir, { stopAfter: "0", parallel: 3 });
  const { token } = await signUp(child);
  const id = await send(asPerson(child, token), 5);
  let count = 1;
  await begun(dataDir, count);
  for (let death = 1; death <= deaths.server; death++) {
    await child.kill();
    count += 1;
    child = await startChild(dataDir, { stopAfter: "0", parallel: 3 });
    await begun(dataDir, count);
  }
  for (let death = 1; death <= deaths.quarantine; death++) {
    const quarantine = (await heardBy(dataDir)).at(-1);
    expect(quarantine).not.toBe(child.pid);
    process.kill(quarantine ?? 0, "SIGKILL");
    count += 1;
    await begun(dataDir, count);
  }
  expect(child.isAlive()).toBe(true);
  await child.kill();
  const last = asPerson(await startChild(dataDir, { parallel: 3 }), token);
  expect(await settled(last, id)).toMatchObject({ status: "completed", error: null });
});
