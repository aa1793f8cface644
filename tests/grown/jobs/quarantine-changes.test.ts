import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test, vi } from "vitest";
import { UserProfile } from "#contract/index.ts";
import { createLocalBus } from "#server/bus/bus.ts";
import { openDb } from "#server/db/open.ts";
import { listWorkers } from "#server/jobs/claim-queries.ts";
import { openQuarantine } from "#server/jobs/quarantine.ts";
import { suspectJobsOf } from "#server/jobs/suspect-queries.ts";
import { createLog } from "#server/log/log.ts";
import { eventually, read, signUp, temporaryFolder, upload } from "#tests/server/harness.ts";
import { buzzWav } from "#tests/server/jobs/scripted.ts";
import { heard, startChild } from "#tests/server/jobs/spawned.ts";

// Kills a server, and starts the quarantine as a process of its own.

test("what the quarantine changes reaches those who wait for it in the server, as what the server changes does", async () => {
  const dataDir = await temporaryFolder();
  const killed = await startChild(dataDir, { stopAfter: "0" });
  const person = await signUp(killed);
  const { id: userId } = await read(await person.call("GET", "/users/me"), 200, UserProfile);
  await upload(person, buzzWav(5));
  await eventually(
    () => heard(dataDir).catch(() => []),
    (pieces) => pieces.length === 1,
  );
  await killed.kill();

  const db = await openDb(dataDir, undefined);
  onTestFinished(() => db.destroy());
  for (const worker of await listWorkers(db)) await suspectJobsOf(db, worker, { at: Date.now(), waitMs: 0 });
  const log = createLog("silent", Date.now);
  // What this process itself changes is not published on it.
  const bus = createLocalBus(log);
  const changed = new Promise<string | undefined>((resolve) => bus.subscribe("transcriptions.changed", resolve));
  // The quarantine has the environment of its server.
  vi.stubEnv("PARLANCE_DATA", dataDir).stubEnv("HEARD", `${dataDir}/heard.log`).stubEnv("LOG_LEVEL", "silent");
  onTestFinished(() => void vi.unstubAllEnvs());
  const program = fileURLToPath(new URL("../../server/jobs/child-quarantine.ts", import.meta.url));
  const giveUp = () => Promise.reject(new Error("nothing here crashes"));
  const quarantine = openQuarantine({ db, log, now: Date.now, bus, giveUp }, { program, pollMs: 15 });
  const close = () => quarantine.close();
  onTestFinished(close);
  expect(await changed).toBe(userId);
  // It ends with its server, and lets go of what it is at.
  await close();
  expect(await listWorkers(db)).toEqual([]);
});
