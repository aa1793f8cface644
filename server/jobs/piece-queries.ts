import { type Insertable, type Selectable, sql } from "kysely";
import type { Segment } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import { affectsAny } from "#server/db/results.ts";
import type { JobRow } from "./queries.ts";
import type { PieceTable } from "./tables.ts";

export type PieceRow = Selectable<PieceTable>;

interface Plan {
  samples: number;
  truncated: boolean;
  hasHoles: boolean;
  pieces: readonly { index: number; startSample: number; endSample: number; speech: boolean }[];
}

/**
 * Stores the plan that decoding produced. Pieces finished by an earlier run are kept if their boundaries are equal.
 * @returns false if the job no longer exists or belongs to another audio track; then nothing is stored
 */
export function storePlan(db: Db, { transcription_id: id, track }: JobRow, plan: Plan): Promise<boolean> {
  return db.transaction().execute(async (t) => {
    const isWanted = await affectsAny(
      t
        .updateTable("jobs")
        .set({ decoded_samples: plan.samples, truncated: plan.truncated ? 1 : 0, holes: plan.hasHoles ? 1 : 0 })
        .where("transcription_id", "=", id)
        .where("track", track === null ? "is" : "=", track),
    );
    if (!isWanted) return false;
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
    return true;
  });
}

/** A piece without speech is finished from the start. */
function newPiece(id: string, { index, startSample, endSample, speech }: Plan["pieces"][number]): Insertable<PieceTable> {
  const span = { start_sample: startSample, end_sample: endSample };
  return { transcription_id: id, idx: index, ...span, done: speech ? 0 : 1, translated: 0, segments: "[]" };
}

export function listPieces(db: Db, id: string): Promise<PieceRow[]> {
  return db.selectFrom("pieces").selectAll().where("transcription_id", "=", id).orderBy("idx").execute();
}

/** Stores the segments of a piece; false if the job's lease has changed, and then nothing is stored. */
export function storePiece(db: Db, job: JobRow, idx: number, segments: readonly Segment[]): Promise<boolean> {
  return affectsAny(
    db
      .updateTable("pieces")
      .set({ done: 1, segments: JSON.stringify(segments) })
      .where((eb) => eb.and({ transcription_id: job.transcription_id, idx }))
      .where(({ exists, selectFrom }) =>
        exists(
          selectFrom("jobs")
            .select("transcription_id")
            .where("transcription_id", "=", job.transcription_id)
            .where("lease_id", "=", job.lease_id),
        ),
      ),
  );
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
        .where((eb) => eb.and({ transcription_id: id, idx }))
        .execute();
    }
  });
}

/** Discards all translations, because the target language has changed. */
export async function discardTranslations(t: Db, id: string): Promise<void> {
  await t.updateTable("pieces").set({ translated: 0 }).where("transcription_id", "=", id).execute();
}

/** The segments of each finished piece, in order, as JSON. */
export async function finishedPieces(db: Db, id: string): Promise<string[]> {
  const rows = await db
    .selectFrom("pieces")
    .select("segments")
    .where((eb) => eb.and({ transcription_id: id, done: 1 }))
    .orderBy("idx")
    .execute();
  return rows.map(({ segments }) => segments);
}

/** The number of finished pieces, and of those that are translated. */
export async function countFinished(db: Db, id: string): Promise<{ done: number; translated: number }> {
  const row = await db
    .selectFrom("pieces")
    .select([sql<number>`coalesce(sum(done), 0)`.as("done"), sql<number>`coalesce(sum(translated), 0)`.as("translated")])
    .where("transcription_id", "=", id)
    .executeTakeFirstOrThrow();
  return { done: Number(row.done), translated: Number(row.translated) };
}
