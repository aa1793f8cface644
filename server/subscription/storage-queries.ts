import { sql } from "kysely";
import type { Db } from "#server/db/open.ts";
import type { TrackColumns } from "#server/speech/tracks.ts";

/** A transcription with audio, and its sound tracks. */
export interface StoredAudio extends TrackColumns {
  id: string;
  revision: number;
}

/** A person's storage: files by their ids, and sizes known from the database. */
export interface StoredThings {
  /** Transcriptions with audio whose size is not known, at a revision; recordings that are not transcribed yet. */
  audio: StoredAudio[];
  live: string[];
  /** Texts, audio of known size, running uploads, and the vault (bytes). */
  bytes: number;
}

/** Deleted transcriptions count until they are purged. */
export async function listStored(db: Db, userId: string): Promise<StoredThings> {
  const transcriptions = await db
    .selectFrom("transcriptions")
    .leftJoin("audio_sizes", "audio_sizes.transcription_id", "transcriptions.id")
    .select(["id", "audio_type", "revision", "tracks", "track", "holes", "audio_sizes.bytes as audio_bytes"])
    // Computed without reading the texts.
    .select(
      sql<number>`octet_length(text) + octet_length(translated_text) + octet_length(segments) + octet_length(hidden_translations)`.as(
        "bytes",
      ),
    )
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
  const known = transcriptions.reduce(
    (sum, row) => sum + Number(row.bytes) + (row.audio_type === null ? 0 : (row.audio_bytes ?? 0)),
    0,
  );
  return {
    audio: transcriptions.flatMap(({ bytes: _, audio_type, audio_bytes, ...audio }) =>
      audio_type === null || audio_bytes !== null ? [] : [audio],
    ),
    live: recordings.map(({ id }) => id),
    bytes: known + Number(uploads.bytes) + Number(vault.bytes),
  };
}

/** Remembers an audio's size, unless its transcription has changed since it was measured, or its file is being changed. */
export async function keepAudioSize(db: Db, { id, revision }: { id: string; revision: number }, bytes: number): Promise<void> {
  await db.transaction().execute(async (t) => {
    const current = await t
      .selectFrom("transcriptions")
      .leftJoin("unsettled_audio", "unsettled_audio.transcription_id", "transcriptions.id")
      .select("transcriptions.id")
      .where("transcriptions.id", "=", id)
      .where("revision", "=", revision)
      .where("unsettled_audio.transcription_id", "is", null)
      .executeTakeFirst();
    if (current === undefined) return;
    await t
      .insertInto("audio_sizes")
      .values({ transcription_id: id, bytes })
      .onConflict((conflict) => conflict.column("transcription_id").doUpdateSet({ bytes }))
      .execute();
  });
}

/** To be called in the transaction that changes an audio. */
export async function clearAudioSize(t: Db, id: string): Promise<void> {
  await t.deleteFrom("audio_sizes").where("transcription_id", "=", id).execute();
}
