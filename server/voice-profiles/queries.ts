import { randomUUID } from "node:crypto";
import type { Selectable } from "kysely";
import * as v from "valibot";
import type { Span } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import { countRows, findsAny } from "#server/db/results.ts";
import type { VoiceProfileTable, VoiceTable } from "./tables.ts";

const Numbers = v.pipe(v.string(), v.parseJson(), v.array(v.number()));
const Spans = v.pipe(v.string(), v.parseJson(), v.array(v.tuple([v.number(), v.number()])));
const Ids = v.pipe(v.string(), v.parseJson(), v.array(v.string()));

/** A known voice (db/schema.ts). */
export interface Profile extends Omit<Selectable<VoiceProfileTable>, "sum"> {
  sum: number[];
}
/** A speaker of a transcription (db/schema.ts). */
export interface Voice extends Omit<Selectable<VoiceTable>, "embedding" | "spans" | "declined"> {
  embedding: number[] | null;
  spans: Span[];
  declined: string[];
}

export function isConsenting(db: Db, userId: string): Promise<boolean> {
  return findsAny(db.selectFrom("voice_consents").select("since").where("user_id", "=", userId));
}

/** @param at epoch ms */
export async function insertConsent(db: Db, userId: string, at: number): Promise<void> {
  await db
    .insertInto("voice_consents")
    .values({ user_id: userId, since: at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Deletes the consent with every profile and voice print. */
export async function deleteConsent(db: Db, userId: string): Promise<void> {
  await db.deleteFrom("voice_consents").where("user_id", "=", userId).execute();
}

const profileOf = (row: Selectable<VoiceProfileTable>): Profile => ({ ...row, sum: v.parse(Numbers, row.sum) });
const voiceOf = (row: Selectable<VoiceTable>): Voice => ({
  ...row,
  embedding: row.embedding === null ? null : v.parse(Numbers, row.embedding),
  spans: v.parse(Spans, row.spans),
  declined: v.parse(Ids, row.declined),
});

/** A user's profiles, sorted by name. @param model only those whose voice prints come from this model */
export async function listProfiles(db: Db, userId: string, model?: string): Promise<Profile[]> {
  const mine = db.selectFrom("voice_profiles").selectAll().where("user_id", "=", userId);
  const rows = await (model === undefined ? mine : mine.where("model", "=", model))
    .orderBy("name")
    .orderBy("created_at")
    .execute();
  return rows.map(profileOf);
}

export async function findProfile(db: Db, userId: string, id: string): Promise<Profile | undefined> {
  const all = db.selectFrom("voice_profiles").selectAll().where("user_id", "=", userId);
  const row = await all.where("id", "=", id).executeTakeFirst();
  return row && profileOf(row);
}

export async function findProfileNamed(db: Db, userId: string, model: string, name: string): Promise<Profile | undefined> {
  const all = db.selectFrom("voice_profiles").selectAll().where("user_id", "=", userId);
  const row = await all.where("model", "=", model).where("name", "=", name).executeTakeFirst();
  return row && profileOf(row);
}

export function countProfiles(db: Db, userId: string): Promise<number> {
  return countRows(db.selectFrom("voice_profiles").where("user_id", "=", userId));
}

/** Inserts an empty profile. @param at epoch ms */
export async function insertProfile(
  t: Db,
  { userId, name, model, dimensions, at }: { userId: string; name: string; model: string; dimensions: number; at: number },
): Promise<Profile> {
  const sum = Array.from({ length: dimensions }, () => 0);
  const row = {
    id: randomUUID(),
    user_id: userId,
    name,
    model,
    recordings: 0,
    created_at: at,
    heard_at: 0,
  };
  await t
    .insertInto("voice_profiles")
    .values({ ...row, sum: JSON.stringify(sum) })
    .execute();
  return { ...row, sum };
}

export async function renameProfile(t: Db, id: string, name: string): Promise<void> {
  await t.updateTable("voice_profiles").set({ name }).where("id", "=", id).execute();
}

export async function changeProfile(
  t: Db,
  { id, sum, recordings, heard_at }: Pick<Profile, "id" | "sum" | "recordings" | "heard_at">,
): Promise<void> {
  await t
    .updateTable("voice_profiles")
    .set({ sum: JSON.stringify(sum), recordings, heard_at })
    .where("id", "=", id)
    .execute();
}

/** Deletes a profile; its voices are then in none. */
export async function deleteProfile(t: Db, id: string): Promise<void> {
  await t.deleteFrom("voice_profiles").where("id", "=", id).execute();
}

/** Deletes a profile with its voice prints. Recordings keep the name, so that they don't recreate the profile. */
export async function eraseProfile(t: Db, id: string): Promise<void> {
  await t.updateTable("voices").set({ embedding: null }).where("profile_id", "=", id).execute();
  await deleteProfile(t, id);
}

/** Does the same for all of a user's profiles, and for every voice print of their recordings. */
export async function eraseProfiles(t: Db, userId: string): Promise<void> {
  await t.updateTable("voices").set({ embedding: null }).where("user_id", "=", userId).execute();
  await t.deleteFrom("voice_profiles").where("user_id", "=", userId).execute();
}

/** The speakers of a transcription, sorted by number. */
export async function listVoices(db: Db, userId: string, transcriptionId: string): Promise<Voice[]> {
  const all = db.selectFrom("voices").selectAll().where("user_id", "=", userId);
  const rows = await all.where("transcription_id", "=", transcriptionId).orderBy("idx").execute();
  return rows.map(voiceOf);
}

export async function deleteVoices(t: Db, transcriptionId: string): Promise<void> {
  await t.deleteFrom("voices").where("transcription_id", "=", transcriptionId).execute();
}

export async function insertVoice(t: Db, voice: Voice): Promise<void> {
  const { embedding, spans, declined } = voice;
  await t
    .insertInto("voices")
    .values({
      ...voice,
      embedding: embedding === null ? null : JSON.stringify(embedding),
      spans: JSON.stringify(spans),
      declined: JSON.stringify(declined),
    })
    .execute();
}

/** @param declined ids of the profiles that the voice does not belong to */
export async function changeDeclined(t: Db, { transcription_id, idx }: Voice, declined: readonly string[]): Promise<void> {
  await t
    .updateTable("voices")
    .set({ declined: JSON.stringify(declined) })
    .where((eb) => eb.and({ transcription_id, idx }))
    .execute();
}

/** The known recordings of a profile: their number, and the latest's date (epoch ms). */
export async function recordingsOf(t: Db, profileId: string): Promise<{ count: number; latest: number }> {
  const row = await t
    .selectFrom("voices")
    .innerJoin("transcriptions", "transcriptions.id", "voices.transcription_id")
    .select(({ fn }) => [
      fn.count<number>("transcriptions.id").distinct().as("count"),
      fn.max<number | null>("transcriptions.date").as("latest"),
    ])
    .where("voices.profile_id", "=", profileId)
    .executeTakeFirstOrThrow();
  return { count: Number(row.count), latest: row.latest ?? 0 };
}
