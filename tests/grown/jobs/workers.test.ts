import { spawn } from "node:child_process";
import { once } from "node:events";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { Transcription } from "#contract/index.ts";
import { openDb } from "#server/db/open.ts";
import { createTestDatabase } from "#tests/grown/harness-postgres.ts";
import { eventually, type Person, read, settled, signUp, temporaryFolder, upload } from "#tests/server/harness.ts";
import { buzzWav } from "#tests/server/jobs/scripted.ts";
import { begunBy, begunPieces, startChild } from "#tests/server/jobs/spawned.ts";

// Several processes on one PostgreSQL and one data folder.

/** A process of several on one PostgreSQL and one data folder. */
async function startTogether() {
  const dataDir = await temporaryFolder();
  const { url, drop } = await createTestDatabase();
  onTestFinished(drop);
  const start = (role: "api" | "worker", options: Omit<Parameters<typeof startChild>[1], "env"> = {}) =>
    startChild(dataDir, { ...options, env: { DATABASE_URL: url, PARLANCE_ROLE: role } });
  return { dataDir, url, start };
}

const send = async (person: Person, seconds: number) =>
  (await read(await upload(person, buzzWav(seconds)), 202, Transcription)).id;

const begun = (dataDir: string, count: number) =>
  eventually(
    () => begunBy(dataDir).catch(() => []),
    (pieces) => pieces.length >= count,
  );

// PROMISE processes: Workers on other machines do each job once
test("processes other processes' files in workers, each once, and returns a stopped worker's job", async () => {
  const { dataDir, url, start } = await startTogether();
  const api = await start("api");
  const [ann, bob] = [await signUp(api), await signUp(api)];
  const first = await start("worker", { stopAfter: "1" });
  const long = await send(ann, 70);
  await begun(dataDir, 2);
  const askedAt = performance.now();
  expect(await first.stop()).toBe(0);
  expect(performance.now() - askedAt).toBeLessThan(10_000);
  const db = await openDb("", url);
  onTestFinished(() => db.destroy());
  const row = () => db.selectFrom("jobs").selectAll().where("transcription_id", "=", long).executeTakeFirstOrThrow();
  expect(await row()).toMatchObject({ lease_id: null, attempts: 0, interruptions: 0 });

  const lengths = [2, 3, 4, 5];
  const ids = [];
  for (const seconds of lengths) ids.push(await send(ann, seconds));
  const bobs = await send(bob, 6);
  const others = [await start("worker"), await start("worker")];
  const made = await settled(ann, long);
  expect(made).toMatchObject({ status: "completed", error: null });
  for (const id of ids) expect(await settled(ann, id)).toMatchObject({ status: "completed", error: null });
  expect(await settled(bob, bobs)).toMatchObject({ status: "completed", error: null });
  // Only the piece that was being recognized when the first worker stopped was started twice; the API started none.
  const pids = await begunBy(dataDir);
  expect(pids).toHaveLength(made.segments.length + 1 + ids.length + 1);
  expect(pids.filter((pid) => ![first, ...others].some((worker) => worker.pid === pid))).toEqual([]);
  const short = (await begunPieces(dataDir)).filter((length) => Number(length) <= 6 * 32_000);
  expect(short.toSorted()).toEqual([...lengths, 6].map((seconds) => String(seconds * 32_000)).toSorted());
});

// PROMISE processes: Workers on other machines do each job once
test("replaces a killed worker by another, from the last finished piece", async () => {
  const { dataDir, start } = await startTogether();
  const person = await signUp(await start("api"));
  const killed = await start("worker", { stopAfter: "1" });
  const id = await send(person, 70);
  await begun(dataDir, 2);
  await killed.kill();
  await start("worker");
  const made = await settled(person, id);
  expect(made).toMatchObject({ status: "completed", error: null });
  expect(await begunPieces(dataDir)).toHaveLength(made.segments.length + 1);
});

// PROMISE processes: Workers on other machines do each job once
test("starts npm run worker without a port, and ends it within 10 s on request", async () => {
  const { dataDir, url } = await startTogether();
  const { PATH = "" } = process.env;
  const env = { PATH, DATABASE_URL: url, PARLANCE_DATA: dataDir, LOG_LEVEL: "silent" };
  const program = fileURLToPath(new URL("../../../server/main.ts", import.meta.url));
  const worker = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", program, "--worker"], { env });
  onTestFinished(() => void worker.kill("SIGKILL"));
  expect(await once(createInterface({ input: worker.stdout }), "line")).toEqual(["Parlance's worker is ready."]);
  const askedAt = performance.now();
  worker.kill("SIGTERM");
  expect(await once(worker, "exit")).toEqual([0, null]);
  expect(performance.now() - askedAt).toBeLessThan(10_000);
});
