import { type Selectable, sql, type Updateable } from "kysely";
import type { Db } from "./open.ts";
import type { TranscriptionTable } from "./schema.ts";

export type TranscriptionRow = Selectable<TranscriptionTable>;
/** A row without its segments, as the history lists it. */
export type SummaryRow = Omit<TranscriptionRow, "segments" | "haystack" | keyof Wishes>;
/** What was asked for with its audio. */
type Wishes = Pick<TranscriptionRow, "vocabulary" | "speakers">;
export type TranscriptionChange = Omit<Updateable<TranscriptionTable>, "id" | "user_id" | "revision" | "haystack">;

const summaryColumns = [
  "id",
  "user_id",
  "client_id",
  "recording_id",
  "title",
  "text",
  "translated_text",
  "source_language",
  "target_language",
  "date",
  "status",
  "origin",
  "duration_seconds",
  "audio_type",
  "file_name",
  "engine",
  "stage",
  "fraction",
  "seconds_left",
  "error_code",
  "error_message",
  "revision",
  "deleted_at",
] as const;

export type NewTranscription = Omit<TranscriptionRow, "haystack" | "revision" | keyof Wishes> & Partial<Wishes>;

/** What a transcription that waits to be made from its audio has in common with every other one. */
export const waitingToBeMade = {
  text: "",
  translated_text: "",
  status: "processing",
  duration_seconds: null,
  engine: null,
  segments: "[]",
  stage: "waiting",
  fraction: 0,
  seconds_left: null,
  error_code: null,
  error_message: null,
  deleted_at: null,
} as const;

/** Adds a row; call it in a transaction. @returns undefined when this person has one under the same client id already */
export async function insertTranscription(t: Db, row: NewTranscription): Promise<TranscriptionRow | undefined> {
  return t
    .insertInto("transcriptions")
    .values({ ...row, haystack: haystackOf(row), revision: await nextRevision(t, row.user_id) })
    .onConflict((conflict) => conflict.columns(["user_id", "client_id"]).doNothing())
    .returningAll()
    .executeTakeFirst();
}

/**
 * Changes a row and counts the change, so that event streams see it.
 * @param ifRevision changes nothing when the row has changed since
 * @returns the row as it is now; undefined when it is not there (any more) or has another revision
 */
export async function changeTranscription(
  db: Db,
  id: string,
  change: TranscriptionChange,
  ifRevision?: number,
): Promise<TranscriptionRow | undefined> {
  return inTransaction(db, async (t) => {
    const before = await t.selectFrom("transcriptions").selectAll().where("id", "=", id).executeTakeFirst();
    if (before === undefined || (ifRevision !== undefined && before.revision !== ifRevision)) return undefined;
    const after = { ...before, ...change };
    return t
      .updateTable("transcriptions")
      .set({ ...change, haystack: haystackOf(after), revision: await nextRevision(t, before.user_id) })
      .where("id", "=", id)
      .returningAll()
      .executeTakeFirst();
  });
}

/** Runs in the transaction that is open, or in one of its own. */
export function inTransaction<Result>(db: Db, work: (t: Db) => Promise<Result>): Promise<Result> {
  return db.isTransaction ? work(db) : db.transaction().execute(work);
}

/** One of this person's transcriptions; a deleted one only when asked for. */
export function findTranscription(db: Db, userId: string, id: string, options: { deleted?: boolean } = {}) {
  const query = db.selectFrom("transcriptions").selectAll().where("id", "=", id).where("user_id", "=", userId);
  return (options.deleted === true ? query : query.where("deleted_at", "is", null)).executeTakeFirst();
}

export function findByClientId(db: Db, userId: string, clientId: string) {
  return db
    .selectFrom("transcriptions")
    .selectAll()
    .where("user_id", "=", userId)
    .where("client_id", "=", clientId)
    .executeTakeFirst();
}

export interface HistoryPage {
  rows: SummaryRow[];
  total: number;
}

/**
 * One page of a person's history, newest first.
 * @param page from 1
 * @param search found anywhere in title, text or translated text, whatever the case; "" finds everything
 */
export async function listHistory(
  db: Db,
  userId: string,
  options: { page: number; limit: number; search: string },
): Promise<HistoryPage> {
  const { page, limit, search } = options;
  let found = db.selectFrom("transcriptions").where("user_id", "=", userId).where("deleted_at", "is", null);
  if (search !== "") found = found.where(sql<boolean>`haystack like ${likePattern(search)} escape '\\'`);
  const { total } = await found.select(({ fn }) => fn.countAll<number>().as("total")).executeTakeFirstOrThrow();
  const rows = await found
    .select(summaryColumns)
    .orderBy("date", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .offset((page - 1) * limit)
    .execute();
  return { rows, total: Number(total) };
}

/** What has changed after a revision, in that order; deleted ones are left out. */
export function listChanges(db: Db, userId: string, after: number): Promise<SummaryRow[]> {
  return db
    .selectFrom("transcriptions")
    .select(summaryColumns)
    .where("user_id", "=", userId)
    .where("revision", ">", after)
    .where("deleted_at", "is", null)
    .orderBy("revision")
    .limit(200)
    .execute();
}

/** Those that are being made at the moment. */
export function listUnfinished(db: Db, userId: string): Promise<SummaryRow[]> {
  return db
    .selectFrom("transcriptions")
    .select(summaryColumns)
    .where("user_id", "=", userId)
    .where("deleted_at", "is", null)
    .where("status", "in", ["pending", "processing"])
    .orderBy("revision")
    .execute();
}

async function nextRevision(t: Db, userId: string): Promise<number> {
  const { revision } = await t
    .updateTable("users")
    .set(({ eb }) => ({ revision: eb("revision", "+", 1) }))
    .where("id", "=", userId)
    .returning("revision")
    .executeTakeFirstOrThrow();
  return revision;
}

/** Lower-cased here and not by the database, which knows ASCII only. */
function haystackOf(row: Pick<TranscriptionRow, "title" | "text" | "translated_text">): string {
  return `${row.title}\n${row.text}\n${row.translated_text}`.toLowerCase();
}

function likePattern(search: string): string {
  return `%${search.toLowerCase().replace(/[\\%_]/g, "\\$&")}%`;
}
