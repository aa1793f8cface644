import process from "node:process";
import { expect, test } from "vitest";
import { Transcription } from "#contract/index.ts";
import { asPerson, eventually, type Person, read, settled, signUp, temporaryFolder, upload } from "#tests/server/harness.ts";
import { buzzWav } from "#tests/server/jobs/scripted.ts";
import { heard, heardBy, startChild } from "#tests/server/jobs/spawned.ts";

// Kills a server and its quarantine more often than any job may be started.

/** More than any count of crashes that ends a job. */
const deaths = 5;

const begun = (dataDir: string, count: number) =>
  eventually(
    () => heard(dataDir).catch(() => []),
    (pieces) => pieces.length >= count,
  );
const send = async (person: Person, seconds: number) =>
  (await read(await upload(person, buzzWav(seconds)), 202, Transcription)).id;

async function expectWellMade(dataDir: string, token: string, ids: readonly string[]): Promise<void> {
  const last = asPerson(await startChild(dataDir, { parallel: 3 }), token);
  for (const id of ids) expect(await settled(last, id)).toMatchObject({ status: "completed", error: null });
}

// PROMISE uploads: A killed server goes on from the last finished piece; no job fails
test(`a server that is killed ${deaths} times with innocent recordings under way gives up none of them`, async () => {
  const dataDir = await temporaryFolder();
  let child = await startChild(dataDir, { stopAfter: "0", parallel: 3 });
  const { token } = await signUp(child);
  const ids = [await send(asPerson(child, token), 20), await send(asPerson(child, token), 21)];
  await begun(dataDir, 2);
  for (let death = 1; death <= deaths; death++) {
    await child.kill();
    const before = (await heard(dataDir)).length;
    child = await startChild(dataDir, { stopAfter: "0", parallel: 3 });
    await begun(dataDir, before + 1);
  }
  await child.kill();
  await expectWellMade(dataDir, token, ids);
});

test(`a quarantine that is killed ${deaths} times from outside convicts none of the recordings that it was at`, async () => {
  const dataDir = await temporaryFolder();
  const first = await startChild(dataDir, { stopAfter: "0", parallel: 3 });
  const { token } = await signUp(first);
  const ids = [await send(asPerson(first, token), 20), await send(asPerson(first, token), 21)];
  await begun(dataDir, 2);
  await first.kill();
  const second = await startChild(dataDir, { stopAfter: "0", parallel: 3 });
  for (let death = 1; death <= deaths; death++) {
    const before = 1 + death;
    await begun(dataDir, before + 1);
    const quarantine = (await heardBy(dataDir)).at(-1);
    expect(quarantine).not.toBe(second.pid);
    process.kill(quarantine ?? 0, "SIGKILL");
  }
  expect(second.isAlive()).toBe(true);
  await second.kill();
  await expectWellMade(dataDir, token, ids);
});
