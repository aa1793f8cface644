import type { Db } from "#server/db/open.ts";

/** The ids of a person's transcriptions that are not deleted, the oldest first. */
export async function ownTranscriptionIds(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom("transcriptions")
    .select("id")
    .where("user_id", "=", userId)
    .where("deleted_at", "is", null)
    .orderBy("date")
    .orderBy("id")
    .execute();
  return rows.map(({ id }) => id);
}

/** A person's rows in small tables, by table. */
export async function smallRowsOf(db: Db, userId: string) {
  const usage = await db.selectFrom("usage").select(["month", "samples"]).where("user_id", "=", userId).execute();
  const written = await db.selectFrom("inbox").select(["created_at", "rating", "text"]).where("user_id", "=", userId).execute();
  const done = await db
    .selectFrom("audit_log")
    .select(["at", "action", "before", "after", "reason"])
    .where("user_id", "=", userId)
    .orderBy("at")
    .execute();
  const vocabulary = await db.selectFrom("vocabularies").select("text").where("user_id", "=", userId).executeTakeFirst();
  return { vocabulary: vocabulary?.text ?? "", ...(await voicesOf(db, userId)), usage, feedback: written, administration: done };
}

/** The voices that a person has named, and those of their recordings: as numbers, which say nothing without the model. */
async function voicesOf(db: Db, userId: string) {
  const profiles = await db.selectFrom("voice_profiles").selectAll().where("user_id", "=", userId).orderBy("name").execute();
  const voices = await db
    .selectFrom("voices")
    .select(["transcription_id", "label", "model", "embedding"])
    .where("user_id", "=", userId)
    .where("embedding", "is not", null)
    .orderBy("transcription_id")
    .orderBy("idx")
    .execute();
  const numbersIn = (json: string | null): unknown => JSON.parse(json ?? "[]");
  return {
    voiceProfiles: profiles.map(({ name, recordings, model, created_at, heard_at, sum }) => ({
      name,
      recordings,
      createdAt: new Date(created_at).toISOString(),
      heardAt: new Date(heard_at).toISOString(),
      model,
      voicePrint: numbersIn(sum),
    })),
    voices: voices.map(({ transcription_id, label, model, embedding }) => ({
      transcription: transcription_id,
      speaker: label,
      model,
      voicePrint: numbersIn(embedding),
    })),
  };
}
