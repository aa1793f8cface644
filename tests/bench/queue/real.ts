import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type Db, openDb } from "#server/db/open.ts";
import type { JobHandler } from "#server/jobs/handler.ts";
import { enqueueJob, removeJob } from "#server/jobs/queries.ts";
import { openTableQueue } from "#server/jobs/table-queue.ts";
import { startWorker } from "#server/jobs/worker.ts";
import { createLog } from "#server/log/log.ts";
import { exponential, seeded } from "./arrivals.ts";
import { type Arrival, simulate } from "./simulation.ts";

/** The concurrent jobs of one of the product's workers (server/jobs/worker.ts). */
const worker = { places: 3, placesAtMost: 8 };
const jobs = 150;
const people = 4;
/** Long compared with claims and writes (which take ms), but short enough for a bench. */
const meanSeconds = 0.4;
/** Jobs per second: more than three places can process, so that queues grow during the arrivals. */
const rate = 14;

export interface Comparison {
  jobs: number;
  /** Mean waits, in seconds. */
  simulated: number;
  real: number;
}

/** Lets the product's worker process jobs that only take time, on a separate database, and simulates the same jobs. */
export async function compareWithReal(): Promise<Comparison> {
  const random = seeded(3);
  const arrivals: Arrival[] = [];
  for (let at = 0; arrivals.length < jobs; ) {
    at += exponential(random, 1 / rate);
    arrivals.push({ at, person: Math.floor(random() * people), seconds: exponential(random, meanSeconds) });
  }
  const folder = await mkdtemp(join(tmpdir(), "parlance-bench-"));
  const db = await openDb(folder);
  try {
    const ids = await store(db, arrivals);
    const real = await runAll(db, arrivals, ids);
    const simulated = simulate(arrivals, worker).waited;
    return { jobs, simulated: simulated.reduce((sum, one) => sum + one, 0) / jobs, real };
  } finally {
    await db.destroy();
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Inserts the people and their transcriptions, but no jobs yet.
 * @returns the transcriptions' ids, in the order of the arrivals
 */
async function store(db: Db, arrivals: readonly Arrival[]): Promise<string[]> {
  for (let person = 0; person < people; person++) {
    const name = { id: `p${person}`, email: `p${person}@example.org` };
    await db
      .insertInto("users")
      .values({ ...anybody, ...name })
      .execute();
  }
  const ids = arrivals.map((_, index) => `t${index}`);
  for (const [index, { person }] of arrivals.entries()) {
    await db
      .insertInto("transcriptions")
      .values({ ...emptyTranscription, id: `t${index}`, client_id: `c${index}`, user_id: `p${person}` })
      .execute();
  }
  return ids;
}

/** @returns the mean time from a job's arrival to its start, in seconds */
async function runAll(db: Db, arrivals: readonly Arrival[], ids: readonly string[]): Promise<number> {
  const seconds = new Map(ids.map((id, index) => [id, arrivals[index]?.seconds ?? 0]));
  const begun = new Map<string, number>();
  const allDone = Promise.withResolvers<void>();
  let done = 0;
  const end = async (id: string) => {
    await wait((seconds.get(id) ?? 0) * 1000);
    await removeJob(db, id);
    done += 1;
    if (done === ids.length) allDone.resolve();
  };
  const handler: JobHandler = {
    begin: ({ job: { transcription_id: id } }) => {
      begun.set(id, performance.now());
      return { done: end(id), report: async () => {}, isFetching: () => false };
    },
    isFinal: () => true,
    isPassing: () => false,
    fail: async (id, error) => allDone.reject(new Error(`${id} failed`, { cause: error })),
    postpone: async () => {},
    discard: async () => {},
  };
  const parts = { db, now: Date.now, log: createLog("error", Date.now), handler, queue: await openTableQueue(db, Date.now()) };
  const running = startWorker(parts);
  const start = performance.now();
  const added: number[] = [];
  for (const [index, { at }] of arrivals.entries()) {
    await wait(Math.max(0, start + at * 1000 - performance.now()));
    added.push(performance.now());
    await enqueueJob(db, ids[index] ?? "", Date.now());
    running.wake();
  }
  await allDone.promise;
  await running.close();
  const waits = ids.map((id, index) => (begun.get(id) ?? Number.NaN) - (added[index] ?? Number.NaN));
  return waits.reduce((sum, one) => sum + one, 0) / ids.length / 1000;
}

/** Values for required columns that no worker reads. */
const anybody = {
  name: "",
  password_hash: "",
  email_verified: 1,
  is_superuser: 0,
  language: "en",
  plan_type: "free",
  revision: 0,
  created_at: 0,
} as const;
const emptyTranscription = {
  recording_id: null,
  title: "",
  text: "",
  translated_text: "",
  haystack: "",
  title_key: "",
  weight: 0,
  source_language: "en",
  target_language: null,
  date: 0,
  status: "processing",
  origin: "upload",
  duration_seconds: null,
  audio_type: null,
  file_name: null,
  engine: null,
  segments: "[]",
  stage: null,
  fraction: null,
  seconds_left: null,
  error_code: null,
  error_message: null,
  revision: 0,
  deleted_at: null,
  vocabulary: null,
} as const;
