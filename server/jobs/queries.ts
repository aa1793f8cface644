import { type Selectable, sql } from "kysely";
import type { Segment } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import type { JobTable, PieceTable } from "#server/db/schema.ts";

export type JobRow = Selectable<JobTable>;
export type PieceRow = Selectable<PieceTable>;

/** `suspect` of a job that was given up and is tried again: nothing that it finishes clears it. */
export const convicted = 2;

/** Sets a transcription going; one that is going already goes on. Pieces that are finished stay so. */
export async function enqueueJob(db: Db, transcriptionId: string, at: number, { suspect = 0 } = {}): Promise<void> {
  await db
    .insertInto("jobs")
    .values({
      transcription_id: transcriptionId,
      created_at: at,
      run_after: at,
      paused: 0,
      failures: 0,
      suspect,
      crashes: 0,
      truncated: 0,
    })
    .onConflict((conflict) => conflict.column("transcription_id").doNothing())
    .execute();
}

/** How often a job may end the quarantine's process before it is given up. */
export const maxCrashes = 3;

/** Which jobs a worker takes: those that nobody suspects of ending the process, those that are suspected, or both. */
export type JobKind = "unsuspected" | "suspects" | "all";

interface Claim {
  worker: string;
  takes: JobKind;
  /** Leaves those alone whose recordings have to be fetched first. */
  withoutFetches: boolean;
  now: number;
  /** It is this worker's until then without a heartbeat. */
  leaseUntil: number;
}

/**
 * Takes the oldest job that waits, for one worker alone. Of suspects first those that wait for no other server, and that have done the
 * least harm.
 */
export function claimJob(db: Db, { worker, takes, withoutFetches, now, leaseUntil }: Claim): Promise<JobRow | undefined> {
  return db
    .updateTable("jobs")
    .set({ worker_id: worker, lease_until: leaseUntil })
    .where("transcription_id", "=", ({ selectFrom }) =>
      selectFrom("jobs")
        .select("transcription_id")
        .where("paused", "=", 0)
        .where("run_after", "<=", now)
        .where("worker_id", "is", null)
        .where("crashes", "<", maxCrashes)
        .$if(takes !== "all", (waiting) => waiting.where("suspect", takes === "suspects" ? ">" : "=", 0))
        .$if(withoutFetches, (waiting) =>
          waiting.where("transcription_id", "not in", ({ selectFrom: from }) => from("fetches").select("transcription_id")),
        )
        .$if(takes === "suspects", (waiting) =>
          waiting
            .orderBy(({ eb, selectFrom: from }) => eb("transcription_id", "in", from("fetches").select("transcription_id")))
            .orderBy("suspect")
            .orderBy("crashes"),
        )
        .orderBy("created_at")
        .limit(1),
    )
    .returningAll()
    .executeTakeFirst();
}

/** Whether a suspect could be claimed at `now` (epoch ms). */
export async function hasWaitingSuspect(db: Db, now: number): Promise<boolean> {
  const found = await db
    .selectFrom("jobs")
    .select("transcription_id")
    .where("paused", "=", 0)
    .where("run_after", "<=", now)
    .where("worker_id", "is", null)
    .where("crashes", "<", maxCrashes)
    .where("suspect", ">", 0)
    .limit(1)
    .executeTakeFirst();
  return found !== undefined;
}

/** Jobs that have ended their process as often as they may. */
export async function listGivenUp(db: Db): Promise<string[]> {
  const rows = await db.selectFrom("jobs").select("transcription_id").where("crashes", ">=", maxCrashes).execute();
  return rows.map(({ transcription_id }) => transcription_id);
}

/** Prolongs the lease. False when the job is no longer this worker's: deleted, paused or taken over. */
export async function keepJob(db: Db, id: string, worker: string, leaseUntil: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable("jobs")
    .set({ lease_until: leaseUntil })
    .where("transcription_id", "=", id)
    .where("worker_id", "=", worker)
    .where("paused", "=", 0)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Gives a job back in good order; it is claimed again after `runAfter`. */
export async function releaseJob(
  db: Db,
  id: string,
  worker: string,
  change: { runAfter?: number; failures?: number } = {},
): Promise<void> {
  await db
    .updateTable("jobs")
    .set({
      worker_id: null,
      lease_until: null,
      ...(change.runAfter === undefined ? {} : { run_after: change.runAfter }),
      ...(change.failures === undefined ? {} : { failures: change.failures }),
    })
    .where("transcription_id", "=", id)
    .where("worker_id", "=", worker)
    .execute();
}

/** Gives back what a worker could not give back when it ended (a full disk), once the lease has run out. @param busyWith what it is at */
export async function releaseForgotten(db: Db, worker: string, busyWith: readonly string[], now: number): Promise<void> {
  await db
    .updateTable("jobs")
    .set({ worker_id: null, lease_until: null })
    .where("worker_id", "=", worker)
    .where("lease_until", "<=", now)
    .$if(busyWith.length > 0, (held) => held.where("transcription_id", "not in", busyWith))
    .execute();
}

/** The workers that hold a lease, or only those whose leases have run out by `expiredAt` (epoch ms). */
export async function listWorkers(db: Db, expiredAt?: number): Promise<string[]> {
  const rows = await db
    .selectFrom("jobs")
    .select("worker_id")
    .distinct()
    .where("worker_id", "is not", null)
    .$if(expiredAt !== undefined, (held) => held.where("lease_until", "<=", expiredAt ?? 0))
    .execute();
  return rows.flatMap(({ worker_id }) => (worker_id === null ? [] : [worker_id]));
}

/**
 * Takes the jobs of a worker that is dead. Any of them may have ended it, or none: all are suspects, nobody is blamed.
 * @param expiredAt only those whose lease has run out by then (epoch ms); without it all
 */
export async function suspectJobsOf(db: Db, worker: string, expiredAt?: number): Promise<void> {
  await db
    .updateTable("jobs")
    .set(({ eb }) => ({
      suspect: eb.case().when("suspect", "=", 0).then(1).else(eb.ref("suspect")).end(),
      worker_id: null,
      lease_until: null,
    }))
    .where("worker_id", "=", worker)
    .$if(expiredAt !== undefined, (held) => held.where("lease_until", "<=", expiredAt ?? 0))
    .execute();
}

/** The quarantine's process has died, and its server has not: it was the one job that was under way in it. */
export async function blameJobsOf(db: Db, worker: string): Promise<void> {
  await db
    .updateTable("jobs")
    .set((eb) => ({ crashes: eb("crashes", "+", 1), worker_id: null, lease_until: null }))
    .where("worker_id", "=", worker)
    .execute();
}

/** It has finished something: what died before did not die of it, or it is past that. */
export async function clearSuspicion(db: Db, id: string, worker: string): Promise<void> {
  await db
    .updateTable("jobs")
    .set(({ eb }) => ({
      crashes: 0,
      suspect: eb.case().when("suspect", "=", convicted).then(convicted).else(0).end(),
    }))
    .where("transcription_id", "=", id)
    .where("worker_id", "=", worker)
    .execute();
}

export async function pauseJob(db: Db, id: string, paused: boolean): Promise<void> {
  await db
    .updateTable("jobs")
    .set({ paused: paused ? 1 : 0 })
    .where("transcription_id", "=", id)
    .execute();
}

/** The job is over. Its pieces are kept only if it may be tried again. */
export async function removeJob(t: Db, id: string, { keepPieces = false } = {}): Promise<void> {
  if (!keepPieces) await t.deleteFrom("pieces").where("transcription_id", "=", id).execute();
  await t.deleteFrom("jobs").where("transcription_id", "=", id).execute();
}

interface Plan {
  samples: number;
  truncated: boolean;
  pieces: readonly { index: number; startSample: number; endSample: number; speech: boolean }[];
}

/** Stores what decoding has found. Pieces that an earlier run has finished stay, if they are cut at the same places. */
export async function storePlan(db: Db, id: string, plan: Plan): Promise<void> {
  await db.transaction().execute(async (t) => {
    const known = await t
      .selectFrom("pieces")
      .select(["idx", "start_sample", "end_sample"])
      .where("transcription_id", "=", id)
      .execute();
    const same = known.every(({ idx, start_sample, end_sample }) => {
      const piece = plan.pieces[idx];
      return piece?.startSample === start_sample && piece.endSample === end_sample;
    });
    if (!same) await t.deleteFrom("pieces").where("transcription_id", "=", id).execute();
    for (let from = 0; from < plan.pieces.length; from += 500) {
      const rows = plan.pieces.slice(from, from + 500).map((piece) => newPiece(id, piece));
      await t
        .insertInto("pieces")
        .values(rows)
        .onConflict((conflict) => conflict.columns(["transcription_id", "idx"]).doNothing())
        .execute();
    }
    await t
      .updateTable("jobs")
      .set({ decoded_samples: plan.samples, truncated: plan.truncated ? 1 : 0 })
      .where("transcription_id", "=", id)
      .execute();
  });
}

/** Where nobody speaks there is nothing to recognise. */
function newPiece(id: string, { index, startSample, endSample, speech }: Plan["pieces"][number]): PieceRow {
  const span = { start_sample: startSample, end_sample: endSample };
  return { transcription_id: id, idx: index, ...span, done: speech ? 0 : 1, translated: 0, segments: "[]" };
}

export function listPieces(db: Db, id: string): Promise<PieceRow[]> {
  return db.selectFrom("pieces").selectAll().where("transcription_id", "=", id).orderBy("idx").execute();
}

export async function storePiece(db: Db, id: string, idx: number, segments: readonly Segment[]): Promise<void> {
  await db
    .updateTable("pieces")
    .set({ done: 1, segments: JSON.stringify(segments) })
    .where("transcription_id", "=", id)
    .where("idx", "=", idx)
    .execute();
}

export async function storeTranslated(
  db: Db,
  id: string,
  pieces: readonly { idx: number; segments: Segment[] }[],
): Promise<void> {
  await db.transaction().execute(async (t) => {
    for (const { idx, segments } of pieces) {
      await t
        .updateTable("pieces")
        .set({ translated: 1, segments: JSON.stringify(segments) })
        .where("transcription_id", "=", id)
        .where("idx", "=", idx)
        .execute();
    }
  });
}

/** Everything has to be translated again, into another language. */
export async function forgetTranslations(t: Db, id: string): Promise<void> {
  await t.updateTable("pieces").set({ translated: 0 }).where("transcription_id", "=", id).execute();
}

/** The segments of each finished piece, in order, as JSON. */
export async function finishedPieces(db: Db, id: string): Promise<string[]> {
  const rows = await db
    .selectFrom("pieces")
    .select("segments")
    .where("transcription_id", "=", id)
    .where("done", "=", 1)
    .orderBy("idx")
    .execute();
  return rows.map(({ segments }) => segments);
}

/** How many pieces are finished, and how many of them are translated. */
export async function countFinished(db: Db, id: string): Promise<{ done: number; translated: number }> {
  const row = await db
    .selectFrom("pieces")
    .select([sql<number>`coalesce(sum(done), 0)`.as("done"), sql<number>`coalesce(sum(translated), 0)`.as("translated")])
    .where("transcription_id", "=", id)
    .executeTakeFirstOrThrow();
  return { done: Number(row.done), translated: Number(row.translated) };
}
