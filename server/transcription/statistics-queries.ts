import { sql } from "kysely";
import type { Db } from "#server/db/open.ts";
import type { TranscriptionRow } from "./queries.ts";

/** Numbers of failed transcriptions that are not deleted: in total, and since a time (epoch ms). */
export async function countFailures(db: Db, since: number): Promise<{ all: number; lately: number }> {
  const { failed, lately } = await db
    .selectFrom("transcriptions")
    .select([
      sql<number>`count(*)`.as("failed"),
      sql<number | null>`sum(case when date > ${since} then 1 else 0 end)`.as("lately"),
    ])
    .where("status", "=", "failed")
    .where("deleted_at", "is", null)
    .executeTakeFirstOrThrow();
  return { all: Number(failed), lately: Number(lately ?? 0) };
}

/** Reasons for failures since a time (epoch ms), the most frequent first; `last` in epoch ms. */
export async function countFailuresByReason(
  db: Db,
  since: number,
): Promise<{ reason: string | null; count: number; last: number }[]> {
  const rows = await db
    .selectFrom("transcriptions")
    .select(({ fn }) => ["error_code", fn.countAll<number>().as("count"), fn.max("date").as("last")])
    .where("status", "=", "failed")
    .where("deleted_at", "is", null)
    .where("date", ">", since)
    .groupBy("error_code")
    .orderBy("count", "desc")
    .execute();
  return rows.map(({ error_code, count, last }) => ({ reason: error_code, count: Number(count), last: Number(last) }));
}

const described = ["id", "date", "origin", "source_language", "status", "duration_seconds", "audio_type", "error_code"] as const;

/** A transcription without content: no title, no text, no file name. */
export type DescribedTranscription = Pick<TranscriptionRow, (typeof described)[number]>;

/** The number of a user's transcriptions that are not deleted, and the latest of them. */
export async function describeTranscriptionsOf(
  db: Db,
  userId: string,
  limit: number,
): Promise<{ total: number; latest: DescribedTranscription[] }> {
  const own = db.selectFrom("transcriptions").where("user_id", "=", userId).where("deleted_at", "is", null);
  const { total } = await own.select(({ fn }) => fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const latest = await own.select(described).orderBy("date", "desc").orderBy("id", "desc").limit(limit).execute();
  return { total: Number(total), latest };
}
