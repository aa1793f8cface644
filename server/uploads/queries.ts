import type { Selectable } from "kysely";
import type { Db } from "#server/db/open.ts";
import { countRows, idsOf } from "#server/db/results.ts";
import { Problem } from "#server/errors/problem.ts";
import { enqueueJob } from "#server/jobs/queries.ts";
import {
  findByClientId,
  insertTranscription,
  type NewTranscription,
  type TranscriptionRow,
} from "#server/transcription/queries.ts";
import type { UploadTable } from "./tables.ts";

export type UploadRow = Selectable<UploadTable>;

/** Call it in a transaction. @returns the row, or the existing row with the same client id of this user */
export async function insertUpload(t: Db, row: UploadRow): Promise<UploadRow> {
  const inserted = await t
    .insertInto("uploads")
    .values(row)
    .onConflict((conflict) => conflict.columns(["user_id", "client_id"]).doNothing())
    .returningAll()
    .executeTakeFirst();
  const kept = inserted ?? (await findUploadOf(t, row.user_id, row.client_id));
  if (kept === undefined) throw new Error("The upload with the same client id no longer exists.");
  return kept;
}

/**
 * Adds a transcription with its job. Call it in a transaction.
 * @param audioBytes size of its audio, if it has one
 * @returns the existing transcription with the same client id, if this user has one
 */
export async function storeWithJob(t: Db, row: NewTranscription, at: number, audioBytes = 0): Promise<TranscriptionRow> {
  const inserted = await insertTranscription(t, row, audioBytes);
  if (inserted !== undefined) await enqueueJob(t, row.id, at);
  const stored = inserted ?? (await findByClientId(t, row.user_id, row.client_id));
  if (stored === undefined) throw new Problem("internal");
  return stored;
}

/** A user's upload by its client id. */
export function findUploadOf(db: Db, userId: string, clientId: string): Promise<UploadRow | undefined> {
  return db.selectFrom("uploads").selectAll().where("user_id", "=", userId).where("client_id", "=", clientId).executeTakeFirst();
}

/** @param userId restricts the search to this user */
export function findUpload(db: Db, id: string, userId?: string): Promise<UploadRow | undefined> {
  const query = db.selectFrom("uploads").selectAll().where("id", "=", id);
  return (userId === undefined ? query : query.where("user_id", "=", userId)).executeTakeFirst();
}

export async function removeUpload(db: Db, id: string): Promise<void> {
  await db.deleteFrom("uploads").where("id", "=", id).execute();
}

/** How many unfinished uploads a user has. */
export function countUploads(db: Db, userId: string): Promise<number> {
  return countRows(db.selectFrom("uploads").where("user_id", "=", userId));
}

/** The ids that exist. */
export function findUploadIds(db: Db, ids: readonly string[]): Promise<string[]> {
  return idsOf(db.selectFrom("uploads").select("id").where("id", "in", ids));
}

/** @param userId default: all users */
export function listUploadIds(db: Db, userId?: string): Promise<string[]> {
  const all = db.selectFrom("uploads").select("id");
  return idsOf(userId === undefined ? all : all.where("user_id", "=", userId));
}

export function listUploads(db: Db): Promise<UploadRow[]> {
  return db.selectFrom("uploads").selectAll().execute();
}

/** Uploads that began at or before a time (epoch ms). */
export function listOldUploads(db: Db, begunBy: number): Promise<UploadRow[]> {
  return db.selectFrom("uploads").selectAll().where("created_at", "<=", begunBy).limit(500).execute();
}
