import { type Selectable, sql } from "kysely";
import * as v from "valibot";
import { Segment } from "../../src/api/contract/index.ts";
import type { Db } from "./open.ts";
import type { JobTable, PieceTable } from "./schema.ts";

export type JobRow = Selectable<JobTable>;
export type PieceRow = Selectable<PieceTable>;

const SegmentList = v.pipe(v.string(), v.parseJson(), v.array(Segment));

/** Segments as the database keeps them. @throws when the text is not what was stored */
export function parseSegments(json: string): Segment[] {
  return v.parse(SegmentList, json);
}

/** Sets a transcription going; one that is going already goes on. Pieces that are finished stay so. */
export async function enqueueJob(db: Db, transcriptionId: string, at: number): Promise<void> {
  await db
    .insertInto("jobs")
    .values({
      transcription_id: transcriptionId,
      created_at: at,
      run_after: at,
      paused: 0,
      failures: 0,
      crashes: 0,
      truncated: 0,
    })
    .onConflict((conflict) => conflict.column("transcription_id").doNothing())
    .execute();
}

interface Claim {
  worker: string;
  /** Jobs that this worker is at: after a pause of the whole machine their leases have run out, but nobody has died. */
  busyWith: readonly string[];
  /** Leaves those alone whose recordings have to be fetched first. */
  withoutFetches: boolean;
  now: number;
  /** It is this worker's until then without a heartbeat. */
  leaseUntil: number;
}

/** Takes the oldest job that waits or whose worker has died, for one worker alone. */
export function claimJob(db: Db, { worker, busyWith, withoutFetches, now, leaseUntil }: Claim): Promise<JobRow | undefined> {
  return db
    .updateTable("jobs")
    .set(({ eb }) => ({
      worker_id: worker,
      lease_until: leaseUntil,
      // A job that still has a worker's name on it ended with that worker's death.
      crashes: eb
        .case()
        .when("worker_id", "is not", null)
        .then(eb("crashes", "+", 1))
        .else(eb.ref("crashes"))
        .end(),
    }))
    .where("transcription_id", "=", ({ selectFrom }) =>
      selectFrom("jobs")
        .select("transcription_id")
        .where("paused", "=", 0)
        .where("run_after", "<=", now)
        .where((eb) => eb.or([eb("lease_until", "is", null), eb("lease_until", "<=", now)]))
        .$if(withoutFetches, (waiting) =>
          waiting.where("transcription_id", "not in", ({ selectFrom: from }) => from("fetches").select("transcription_id")),
        )
        .$if(busyWith.length > 0, (waiting) => waiting.where("transcription_id", "not in", busyWith))
        .orderBy("created_at")
        .limit(1),
    )
    .returningAll()
    .executeTakeFirst();
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

/** The workers that hold a lease. */
export async function listWorkers(db: Db): Promise<string[]> {
  const rows = await db.selectFrom("jobs").select("worker_id").distinct().where("worker_id", "is not", null).execute();
  return rows.flatMap(({ worker_id }) => (worker_id === null ? [] : [worker_id]));
}

/** Ends the leases of a worker that is known to be dead; its jobs can be claimed at once. */
export async function expireLeases(db: Db, worker: string): Promise<void> {
  await db.updateTable("jobs").set({ lease_until: 0 }).where("worker_id", "=", worker).execute();
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

/** A finished piece is progress: what crashed before it is forgotten. */
export async function storePiece(db: Db, id: string, idx: number, segments: readonly Segment[]): Promise<void> {
  await db.transaction().execute(async (t) => {
    await t
      .updateTable("pieces")
      .set({ done: 1, segments: JSON.stringify(segments) })
      .where("transcription_id", "=", id)
      .where("idx", "=", idx)
      .execute();
    await t.updateTable("jobs").set({ crashes: 0 }).where("transcription_id", "=", id).execute();
  });
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

/** The segments of all finished pieces, in order, and how many pieces that are. */
export async function finishedSegments(db: Db, id: string): Promise<{ pieces: number; segments: Segment[] }> {
  const rows = await db
    .selectFrom("pieces")
    .select("segments")
    .where("transcription_id", "=", id)
    .where("done", "=", 1)
    .orderBy("idx")
    .execute();
  return { pieces: rows.length, segments: rows.flatMap((row) => parseSegments(row.segments)) };
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
