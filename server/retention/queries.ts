import { type SqlBool, sql } from "kysely";
import type { RetentionRule } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import { idsOf } from "#server/db/results.ts";
import { lastDayMs, noticeMs } from "#server/transcriptions/trash-queries.ts";

const dayMs = 24 * 60 * 60 * 1000;
/** A transcription dated before its account (the device's clock was wrong) counts from the account's creation. */
const basis = sql<number>`(case when transcriptions.date < users.created_at then users.created_at else transcriptions.date end)`;

/** What a rule deletes: the audio, or the whole transcription. */
export type Kind = "audio" | "text";

/** A user's rules. */
export async function listRules(db: Db, userId: string): Promise<RetentionRule[]> {
  const rows = await db
    .selectFrom("retention_rules")
    .select(["folder_id", "audio_days", "text_days"])
    .where("user_id", "=", userId)
    .orderBy("folder_id")
    .execute();
  return rows.map(({ folder_id, audio_days, text_days }) => ({
    folderId: folder_id,
    audioDays: audio_days,
    textDays: text_days,
  }));
}

/** Replaces the rule of a folder, or of the transcriptions in no folder. Call it in a transaction. */
export async function replaceRule(t: Db, userId: string, { folderId, audioDays, textDays }: RetentionRule): Promise<void> {
  await t
    .deleteFrom("retention_rules")
    .where("user_id", "=", userId)
    .where("folder_id", folderId === null ? "is" : "=", folderId)
    .execute();
  if (audioDays === null && textDays === null) return;
  await t
    .insertInto("retention_rules")
    .values({ user_id: userId, folder_id: folderId, audio_days: audioDays, text_days: textDays })
    .execute();
}

/** Transcriptions that can be deleted at all: no longer in progress, and not in the trash. */
function finished(db: Db) {
  return db
    .selectFrom("transcriptions")
    .innerJoin("users", "users.id", "transcriptions.user_id")
    .leftJoin("filings", "filings.transcription_id", "transcriptions.id")
    .where("transcriptions.deleted_at", "is", null)
    .where("transcriptions.status", "in", ["completed", "failed"])
    .where(({ not, exists, selectFrom }) =>
      not(exists(selectFrom("jobs").select("jobs.created_at").whereRef("jobs.transcription_id", "=", "transcriptions.id"))),
    );
}

/** A failed transcription has only its audio. Its audio is therefore deleted together with the transcription. */
const hasTranscribedSound = <Query extends ReturnType<typeof finished>>(query: Query) =>
  query.where("transcriptions.audio_type", "is not", null).where("transcriptions.status", "=", "completed");

/** Transcriptions in a folder, or in none, that still have something of this kind. */
function inFolder(db: Db, userId: string, folderId: string | null, kind: Kind) {
  return finished(db)
    .where("transcriptions.user_id", "=", userId)
    .where("filings.folder_id", folderId === null ? "is" : "=", folderId)
    .$if(kind === "audio", hasTranscribedSound);
}

/** Counts the transcriptions that are deleted by a given time, and finds the first date of the others (epoch ms). */
export async function forecast(
  db: Db,
  userId: string,
  { folderId, kind, days, until }: { folderId: string | null; kind: Kind; days: number; until: number },
): Promise<{ soon: number; next: number | null }> {
  const border = until - days * dayMs;
  const own = inFolder(db, userId, folderId, kind);
  const { soon } = await own
    .where(basis, "<=", border)
    .select(({ fn }) => fn.countAll<number>().as("soon"))
    .executeTakeFirstOrThrow();
  const { first } = await own
    .where(basis, ">", border)
    .select(sql<number | null>`min${basis}`.as("first"))
    .executeTakeFirstOrThrow();
  return { soon: Number(soon), next: first === null ? null : Number(first) + days * dayMs };
}

/**
 * When the rule deletes the audio and the text of one transcription (epoch ms; null: never). Undefined: no such
 * transcription.
 */
export async function findDates(db: Db, userId: string, id: string) {
  const row = await db
    .selectFrom("transcriptions")
    .innerJoin("users", "users.id", "transcriptions.user_id")
    .leftJoin("filings", "filings.transcription_id", "transcriptions.id")
    .leftJoin("retention_rules", (join) => join.onRef("retention_rules.user_id", "=", "users.id").on(appliesTo))
    .select([basis.as("basis"), "transcriptions.audio_type", "retention_rules.audio_days", "retention_rules.text_days"])
    .where((eb) => eb.and({ "transcriptions.id": id, "transcriptions.user_id": userId }))
    .where("transcriptions.deleted_at", "is", null)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const after = (days: number | null) => (days === null ? null : Number(row.basis) + days * dayMs);
  return { audio: row.audio_type === null ? null : after(row.audio_days), text: after(row.text_days) };
}

/** Joins a transcription with the rule of its folder. */
const appliesTo = () =>
  sql<SqlBool>`(retention_rules.folder_id = filings.folder_id or (retention_rules.folder_id is null and filings.folder_id is null))`;

/** Transcriptions whose rule deletes something of this kind by a given time. @param until epoch ms */
function endingUntil(db: Db, kind: Kind, until: number) {
  const days = kind === "audio" ? sql.ref("retention_rules.audio_days") : sql.ref("retention_rules.text_days");
  // Both dates must have passed, so the later one counts.
  const border = sql<number>`(cast(${until} as bigint) - ${days} * cast(${dayMs} as bigint))`;
  return finished(db)
    .innerJoin("retention_rules", (join) => join.onRef("retention_rules.user_id", "=", "users.id").on(appliesTo))
    .where(sql<SqlBool>`${days} is not null`)
    .where("transcriptions.date", "<=", border)
    .where("users.created_at", "<=", border)
    .$if(kind === "audio", hasTranscribedSound);
}

/**
 * Prepares `listDue`: notes each item whose last day has begun, and removes the notes of items that are no longer due.
 * So a clock that is ahead by hours deletes at most that many hours too early, and one that is ahead by less than a day
 * deletes nothing too early. A user who sets a rule has a day to reconsider. @param now epoch ms
 */
export async function noteEnding(db: Db, kind: Kind, now: number): Promise<void> {
  const ending = endingUntil(db, kind, now + lastDayMs);
  const notes = db.deleteFrom("retention_notes").where("what", "=", kind);
  // Notes from the future: the clock has been set back since.
  await notes.where("noted_at", ">", now).execute();
  await notes.where("transcription_id", "not in", ending.select("transcriptions.id")).execute();
  await db
    .insertInto("retention_notes")
    .columns(["transcription_id", "what", "noted_at"])
    .expression(
      ending.select(["transcriptions.id", sql.lit(kind).as("what"), sql<number>`cast(${now} as bigint)`.as("noted_at")]),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Items that are due now and were noted long enough ago. @param id only this transcription @returns at most 200 */
export function listDue(db: Db, kind: Kind, now: number, id?: string): Promise<{ id: string; user_id: string }[]> {
  return endingUntil(db, kind, now)
    .innerJoin("retention_notes", "retention_notes.transcription_id", "transcriptions.id")
    .where("retention_notes.what", "=", kind)
    .where("retention_notes.noted_at", "<=", now - noticeMs)
    .$if(id !== undefined, (query) => query.where("transcriptions.id", "=", id ?? ""))
    .select(["transcriptions.id", "transcriptions.user_id"])
    .limit(200)
    .execute();
}

/**
 * Notes that the transcription has given up its audio: its file is removed once this is committed. Call it in a
 * transaction. @param now epoch ms
 */
export async function noteFile(t: Db, id: string, now: number): Promise<void> {
  const note = { transcription_id: id, what: "file", noted_at: now } as const;
  await t
    .insertInto("retention_notes")
    .values(note)
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** Transcriptions whose files are still to be removed. @returns at most 200 */
export function listFiles(db: Db): Promise<string[]> {
  return idsOf(db.selectFrom("retention_notes").select("transcription_id as id").where("what", "=", "file").limit(200));
}

export async function deleteNoted(t: Db, id: string, what: Kind | "file"): Promise<void> {
  await t.deleteFrom("retention_notes").where("transcription_id", "=", id).where("what", "=", what).execute();
}
