import { sql } from "kysely";
import type { Db } from "#server/db/open.ts";

/** A person's storage: files by their ids, and sizes known from the database. */
export interface StoredThings {
  /** Transcriptions with audio; recordings that are not transcribed yet. */
  audio: string[];
  live: string[];
  /** Texts, running uploads, and the vault (bytes). */
  bytes: number;
}

/** Deleted transcriptions count until they are purged. */
export async function listStored(db: Db, userId: string): Promise<StoredThings> {
  const transcriptions = await db
    .selectFrom("transcriptions")
    .select(["id", "audio_type"])
    // Computed without reading the texts.
    .select(sql<number>`octet_length(text) + octet_length(translated_text) + octet_length(segments)`.as("bytes"))
    .where("user_id", "=", userId)
    .execute();
  const recordings = await db
    .selectFrom("recordings")
    .select("id")
    .where("user_id", "=", userId)
    .where("transcription_id", "is", null)
    .execute();
  const sum = sql<number>`coalesce(sum(size), 0)`.as("bytes");
  const uploads = await db.selectFrom("uploads").select(sum).where("user_id", "=", userId).executeTakeFirstOrThrow();
  const vault = await db.selectFrom("vault_items").select(sum).where("user_id", "=", userId).executeTakeFirstOrThrow();
  const texts = transcriptions.reduce((bytes, row) => bytes + Number(row.bytes), 0);
  return {
    audio: transcriptions.flatMap(({ id, audio_type }) => (audio_type === null ? [] : [id])),
    live: recordings.map(({ id }) => id),
    bytes: texts + Number(uploads.bytes) + Number(vault.bytes),
  };
}
