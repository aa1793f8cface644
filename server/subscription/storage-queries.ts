import type { Db } from "#server/db/open.ts";
import type { TrackColumns } from "#server/speech/tracks.ts";

/** Stored bytes of a user. Deleted transcriptions count until they are purged. */
export async function findUse(db: Db, userId: string): Promise<number> {
  return (await db.selectFrom("storage_use").select("bytes").where("user_id", "=", userId).executeTakeFirst())?.bytes ?? 0;
}

/** Users whose rows were not counted since a time (epoch ms). */
export async function listUnchecked(db: Db, since: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom("storage_use")
    .select("user_id")
    .where("checked_at", "<=", since)
    .orderBy("checked_at")
    .limit(limit)
    .execute();
  return rows.map((row) => row.user_id);
}

export async function keepChecked(t: Db, userId: string, { bytes, at }: { bytes: number; at: number }): Promise<void> {
  await t.updateTable("storage_use").set({ bytes, checked_at: at }).where("user_id", "=", userId).execute();
}

/** A transcription whose audio has changed since it was measured, and its sound tracks. */
export interface ChangedAudio extends TrackColumns {
  id: string;
  changes: number;
}

/** Leaves out audio whose file is being changed. */
export function listChangedAudio(db: Db, userId: string): Promise<ChangedAudio[]> {
  return db
    .selectFrom("audio_sizes")
    .innerJoin("transcriptions", "transcriptions.id", "audio_sizes.transcription_id")
    .leftJoin("unsettled_audio", "unsettled_audio.transcription_id", "transcriptions.id")
    .select(["id", "changes", "tracks", "track", "holes"])
    .where("changes", ">", 0)
    .where("user_id", "=", userId)
    .where("unsettled_audio.transcription_id", "is", null)
    .execute();
}

/** Stores a measured size, unless the audio has changed in the meantime. */
export async function keepAudioSize(db: Db, { id, changes }: ChangedAudio, bytes: number): Promise<void> {
  await db
    .updateTable("audio_sizes")
    .set({ bytes, changes: 0 })
    .where((eb) => eb.and({ transcription_id: id, changes }))
    .execute();
}

/** Call it in the transaction that adds the audio to a transcription. @param bytes as far as known */
export async function addAudioSize(t: Db, id: string, bytes = 0): Promise<void> {
  await t
    .insertInto("audio_sizes")
    .values({ transcription_id: id, bytes, changes: 1 })
    .onConflict((conflict) => conflict.column("transcription_id").doUpdateSet({ bytes, changes: 1 }))
    .execute();
}

/**
 * Notes that the files of an audio change, so that they are measured later. Call it in the transaction of that change.
 * @param more by how much the files certainly grow (bytes)
 */
export async function noteAudioChange(t: Db, id: string, more = 0): Promise<void> {
  await t
    .updateTable("audio_sizes")
    .set(({ eb }) => ({ bytes: eb("bytes", "+", more), changes: eb("changes", "+", 1) }))
    .where("transcription_id", "=", id)
    .execute();
}

/** Marks all of a user's audio to be measured again; adds missing rows. @param onlyNew only adds missing rows */
export async function noteAllAudio(db: Db, userId: string, { onlyNew }: { onlyNew: boolean }): Promise<void> {
  await db
    .insertInto("audio_sizes")
    .columns(["transcription_id", "bytes", "changes"])
    .expression((eb) =>
      eb
        .selectFrom("transcriptions")
        .select(["id", eb.lit(0).as("bytes"), eb.lit(1).as("changes")])
        .where("user_id", "=", userId)
        .where("audio_type", "is not", null),
    )
    .onConflict((conflict) => {
      const known = conflict.column("transcription_id");
      if (onlyNew) return known.doNothing();
      return known.doUpdateSet(({ eb }) => ({ changes: eb("audio_sizes.changes", "+", 1) }));
    })
    .execute();
}

/** Call it in the transaction that removes a transcription's audio. */
export async function removeAudioSize(t: Db, id: string): Promise<void> {
  await t.deleteFrom("audio_sizes").where("transcription_id", "=", id).execute();
}

/** Dictations that are not yet transcriptions. */
export function listLive(db: Db, userId: string): Promise<{ id: string; bytes: number }[]> {
  return db
    .selectFrom("recordings")
    .select(["id", "bytes"])
    .where("user_id", "=", userId)
    .where("transcription_id", "is", null)
    .execute();
}

export async function keepLiveSize(db: Db, id: string, bytes: number): Promise<void> {
  await db.updateTable("recordings").set({ bytes }).where("id", "=", id).execute();
}

/** Texts in the vault from before sizes were stored. */
export async function listUnmeasuredTexts(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom("vault_items")
    .select("id")
    .where((eb) => eb.and({ user_id: userId, has_text: 1 }))
    .where("text_bytes", "is", null)
    .execute();
  return rows.map(({ id }) => id);
}

export async function keepTextSize(db: Db, id: string, bytes: number): Promise<void> {
  await db.updateTable("vault_items").set({ text_bytes: bytes }).where("id", "=", id).where("text_bytes", "is", null).execute();
}
