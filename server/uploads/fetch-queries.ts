import { sql } from "kysely";
import type { Db } from "#server/db/open.ts";

/** Stores the URL from which a transcription's recording is to be fetched. */
export async function addFetch(t: Db, transcriptionId: string, url: string): Promise<void> {
  await t.insertInto("fetches").values({ transcription_id: transcriptionId, url }).execute();
}

/** The URL; undefined when the recording is already stored. */
export async function findFetch(db: Db, transcriptionId: string): Promise<string | undefined> {
  const row = await db.selectFrom("fetches").select("url").where("transcription_id", "=", transcriptionId).executeTakeFirst();
  return row?.url;
}

/** Deletes the URL once the recording is stored. */
export async function removeFetch(t: Db, transcriptionId: string): Promise<void> {
  await t.deleteFrom("fetches").where("transcription_id", "=", transcriptionId).execute();
}

/** How many of a user's recordings are being or waiting to be fetched. */
export async function countFetches(db: Db, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom("fetches")
    .innerJoin("jobs", "jobs.transcription_id", "fetches.transcription_id")
    .innerJoin("transcriptions", "transcriptions.id", "fetches.transcription_id")
    .select(sql<number>`count(*)`.as("count"))
    .where("transcriptions.user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return Number(count);
}
