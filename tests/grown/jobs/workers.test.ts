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
import { heard, heardBy, startChild } from "#tests/server/jobs/spawned.ts";

// Several processes on one PostgreSQL and one data folder, one of which is killed.

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
    () => heardBy(dataDir).catch(() => []),
    (pieces) => pieces.length >= count,
  );

// PROMISE processes: Workers on other machines do each job once
test("what one process takes in is made by workers in others, each job once, and the API makes none itself", async () => {
  const { dataDir, start } = await startTogether();
  const api = await start("api");
  const [ann, bob] = [await signUp(api), await signUp(api)];
  const ids = [];
  for (const seconds of [20, 21, 22, 23]) ids.push(await send(ann, seconds));
  const bobs = await send(bob, 24);
  const workers = [await start("worker"), await start("worker")];
  for (const id of ids) expect(await settled(ann, id)).toMatchObject({ status: "completed", error: null });
  expect(await settled(bob, bobs)).toMatchObject({ status: "completed", error: null });
  const pids = new Set(await heardBy(dataDir));
  expect(pids.has(api.pid)).toBe(false);
  expect([...pids].every((pid) => workers.some((worker) => worker.pid === pid))).toBe(true);
  expect((await heard(dataDir)).toSorted()).toEqual([...new Set(await heard(dataDir))].toSorted());
});

test("a worker that is killed again and again loses nothing, and what it was at is not blamed for it", async () => {
  const { dataDir, start } = await startTogether();
  const api = await start("api");
  const person = await signUp(api);
  const ids = [await send(person, 20), await send(person, 21)];
  for (let death = 1; death <= 4; death++) {
    const before = (await heardBy(dataDir).catch(() => [])).length;
    const worker = await start("worker", { stopAfter: "0", parallel: 3 });
    await begun(dataDir, before + 1);
    await worker.kill();
  }
  await start("worker");
  for (const id of ids) expect(await settled(person, id)).toMatchObject({ status: "completed", error: null });
});

test("a worker that is asked to stop hands its jobs back at once, and another goes on with them from the last piece", async () => {
  const { dataDir, url, start } = await startTogether();
  const api = await start("api");
  const person = await signUp(api);
  const first = await start("worker", { stopAfter: "1" });
  const id = await send(person, 70);
  await begun(dataDir, 2);
  const askedAt = performance.now();
  expect(await first.stop()).toBe(0);
  expect(performance.now() - askedAt).toBeLessThan(10_000);
  const db = await openDb("", url);
  onTestFinished(() => db.destroy());
  const row = () => db.selectFrom("jobs").selectAll().where("transcription_id", "=", id).executeTakeFirstOrThrow();
  expect(await row()).toMatchObject({ worker_id: null, suspect: 0, failures: 0, crashes: 0, kills: 0 });
  await start("worker");
  const made = await settled(person, id);
  expect(made).toMatchObject({ status: "completed", error: null });
  // Only the piece that was being heard was begun twice.
  expect(await heardBy(dataDir)).toHaveLength(made.segments.length + 1);
});

test("a recording that ends its process is given up in words, whichever worker has it, and those of others end well", async () => {
  const { start } = await startTogether();
  const api = await start("api");
  const [ann, bob] = [await signUp(api), await signUp(api)];
  const poisoned = await send(ann, 7);
  const innocent = await send(bob, 8);
  const first = await start("worker", { poison: "abort", parallel: 3 });
  await first.gone;
  const second = await start("worker", { poison: "abort", parallel: 3 });
  expect(await settled(bob, innocent)).toMatchObject({ status: "completed", error: null });
  expect(await settled(ann, poisoned)).toMatchObject({ status: "failed", error: { code: "crashed" } });
  expect(second.isAlive()).toBe(true);
});

// PROMISE processes: Workers on other machines do each job once
test("the program of npm run worker starts without a port, and ends within 10 s of being asked to", async () => {
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
