import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ListObjectsV2Command } from "@aws-sdk/client-s3";
import { expect, onTestFinished, test } from "vitest";
import { Transcription } from "#contract/index.ts";
import { openDb } from "#server/db/open.ts";
import { PieceCutter } from "#server/speech/cut.ts";
import { timeLimit } from "#tests/fixtures/time-limit.ts";
import { createTestDatabase } from "#tests/grown/harness-postgres.ts";
import { sharedS3 } from "#tests/grown/harness-s3.ts";
import { eventually, getTranscription, type Person, read, signUp, temporaryFolder, upload } from "#tests/server/harness.ts";
import { buzzWav } from "#tests/server/jobs/scripted.ts";
import { startChild } from "#tests/server/jobs/spawned.ts";

// One file and several workers, each a process with a data folder of its own, on one PostgreSQL and one S3.

/** Long enough for some pieces for each of two workers; the last is shorter than the others. */
const seconds = 100;
const sound = buzzWav(seconds);

/** What a single worker says of each piece of it (child-engine.ts: SAYS). */
function cutSound() {
  const pcm = sound.subarray(44);
  const cutter = new PieceCutter();
  return [...cutter.push(pcm), ...cutter.finish()].map(({ startSample, endSample }) => {
    const piece = pcm.subarray(startSample * 2, endSample * 2);
    const text = createHash("sha256").update(piece).digest("hex").slice(0, 12);
    return { start: startSample / 16_000, text, length: piece.length };
  });
}

async function startTogether() {
  const folder = await temporaryFolder();
  const { url, drop } = await createTestDatabase();
  onTestFinished(drop);
  const s3 = await sharedS3();
  const bucket = await s3.newBucket();
  const db = await openDb("", url);
  onTestFinished(() => db.destroy());
  const paths = { HEARD: join(folder, "heard"), GATE: join(folder, "gate") };
  const start = async (role: "api" | "worker", more: Record<string, string> = {}, poison?: "abort") => {
    const env = { DATABASE_URL: url, PARLANCE_ROLE: role, ...bucket, ...paths, SAYS: "1", ...more };
    return startChild(await temporaryFolder(), { env, ...(poison && { poison }) });
  };
  const lines = async (path: string) => (await readFile(path, "utf8").catch(() => "")).split("\n").filter((line) => line !== "");
  /** The processes that have begun a piece so far, in order. */
  const heardBy = async () => (await lines(`${paths.HEARD}.by`)).map(Number);
  return {
    db,
    start,
    heardBy,
    /** The length of each piece that was begun, in bytes. */
    heard: () => lines(paths.HEARD),
    stopped: async () => (await lines(`${paths.HEARD}.stopped`)).map(Number),
    /** From now on pieces end. */
    open: () => writeFile(paths.GATE, ""),
    /** Resolves when so many processes hear a piece. */
    until: (processes: number) => soon(heardBy, (all) => new Set(all).size >= processes),
    /** The process that has the job. */
    owner: async (id: string) => {
      const query = db.selectFrom("jobs").select("worker_id").where("transcription_id", "=", id);
      return Number((await query.executeTakeFirstOrThrow()).worker_id?.split(":").at(-2));
    },
    decoded: async (id: string) => {
      const listed = await s3.client.send(new ListObjectsV2Command({ Bucket: bucket.S3_BUCKET, Prefix: `jobs/${id}` }));
      return listed.Contents ?? [];
    },
  };
}

/** As long as a busy machine may need (milliseconds). */
const limitMs = timeLimit(200_000);
const soon = <Value>(ask: () => Promise<Value>, holds: (value: Value) => boolean) => eventually(ask, holds, limitMs);
const ended = (person: Person, id: string) =>
  soon(
    () => getTranscription(person, id),
    ({ status }) => status === "completed" || status === "failed",
  );

const send = async (person: Person, wav = sound) => (await read(await upload(person, wav), 202, Transcription)).id;

test("one long file is heard by two workers: who deletes it stops both, and the text is that of a single worker though one is killed", async () => {
  const { start, until, stopped, heardBy, heard, open, owner, decoded, db } = await startTogether();
  const api = await start("api");
  const [person, innocent] = [await signUp(api), await signUp(api)];
  const workers = [await start("worker"), await start("worker")];
  const pids = new Set(workers.map(({ pid }) => pid));
  const deleted = await send(person);
  await until(2);
  // Both processes hear a piece each of the one file, before any piece has ended.
  expect(new Set(await heardBy())).toEqual(pids);
  expect((await person.call("DELETE", `/audio/remove-transcription/${deleted}`)).ok).toBe(true);
  await soon(stopped, (all) => new Set(all).size === 2);
  const before = (await heardBy()).length;

  const id = await send(person);
  await soon(heardBy, (all) => new Set(all.slice(before)).size >= 2);
  const coordinator = await owner(id);
  const other = await send(innocent, buzzWav(5));
  await soon(
    () => owner(other).catch(() => 0),
    (pid) => pid > 0,
  );
  const killed = workers.find(({ pid }) => pid !== coordinator);
  await killed?.kill();
  // One that takes its place, as a supervisor starts one, sees at once that it is dead; otherwise its lease would have to expire.
  await start("worker");
  await open();
  const made = await ended(person, id);
  expect(made).toMatchObject({ status: "completed", error: null, durationSeconds: seconds });
  expect(await ended(innocent, other)).toMatchObject({ status: "completed", error: null });
  // Nobody has gone on with what was deleted.
  const left = await db.selectFrom("pieces").select(["transcription_id", "done"]).execute();
  expect(left.filter((piece) => piece.transcription_id !== deleted || piece.done === 1)).toEqual([]);
  // It is removed once the work is done, and a bucket takes its time.
  expect(
    await soon(
      () => decoded(id),
      (left) => left.length === 0,
    ),
  ).toEqual([]);
  // Begun twice is only what was under way when the worker was killed, and when the job was taken to be heard alone.
  expect((await heard()).length).toBeLessThanOrEqual(before + made.segments.length + 1 + 4);
  const pieces = cutSound().map(({ start, text }) => ({ start, end: start + 1, text }));
  expect(pieces.length).toBeGreaterThan(3);
  expect(made.segments.map(({ start, end, text }) => ({ start, end, text }))).toEqual(pieces);
  expect(made.text).toBe(pieces.map(({ text }) => text).join(" "));
});

test("a piece that kills a worker counts against its job, which is given up in words, and nobody else's is lost", async () => {
  // The last piece is the only one of its length, and a worker that helps is the first to reach it.
  const { start, until, heard, heardBy, open, owner } = await startTogether();
  const api = await start("api");
  const [ann, bob] = [await signUp(api), await signUp(api)];
  const last = lastPiece();
  const poisoned = () => start("worker", { POISON_BYTES: String(last) }, "abort");
  const workers = [await poisoned(), await poisoned()];
  const id = await send(ann);
  await until(2);
  const coordinator = await owner(id);
  const innocent = await send(bob, buzzWav(8));
  await open();
  await Promise.race(workers.map(({ gone }) => gone));
  await poisoned();
  expect(await ended(bob, innocent)).toMatchObject({ status: "completed", error: null });
  expect(await ended(ann, id)).toMatchObject({ status: "failed", error: { code: "crashed" } });
  // One worker has died of it, whichever had the piece; then it was heard alone, three times.
  expect((await heard()).filter((length) => Number(length) === last)).toHaveLength(4);
  expect(workers.filter((worker) => worker.isAlive())).toHaveLength(1);
  expect(await heardBy()).toContain(coordinator);
});

/** @returns the length of the last piece, in bytes */
function lastPiece(): number {
  const lengths = cutSound().map(({ length }) => length);
  const last = lengths.at(-1) ?? 0;
  expect(lengths.filter((length) => length === last)).toHaveLength(1);
  return last;
}
