import type { Selectable } from "kysely";
import type { Db } from "#server/db/open.ts";
import type { UploadTable } from "#server/db/schema.ts";

export type UploadRow = Selectable<UploadTable>;

/** @returns the row; the one that this person has under the same client id, when there is one */
export async function insertUpload(db: Db, row: UploadRow): Promise<UploadRow> {
  const inserted = await db
    .insertInto("uploads")
    .values(row)
    .onConflict((conflict) => conflict.columns(["user_id", "client_id"]).doNothing())
    .returningAll()
    .executeTakeFirst();
  const kept = inserted ?? (await findUploadOf(db, row.user_id, row.client_id));
  if (kept === undefined) throw new Error("The upload that was in the way is gone.");
  return kept;
}

/** This person's, under the name that the page has for it. */
export function findUploadOf(db: Db, userId: string, clientId: string): Promise<UploadRow | undefined> {
  return db.selectFrom("uploads").selectAll().where("user_id", "=", userId).where("client_id", "=", clientId).executeTakeFirst();
}

/** @param userId when given, nobody else's is found */
export function findUpload(db: Db, id: string, userId?: string): Promise<UploadRow | undefined> {
  const query = db.selectFrom("uploads").selectAll().where("id", "=", id);
  return (userId === undefined ? query : query.where("user_id", "=", userId)).executeTakeFirst();
}

export async function removeUpload(db: Db, id: string): Promise<void> {
  await db.deleteFrom("uploads").where("id", "=", id).execute();
}

/** How many files of one person have begun to arrive in parts. */
export async function countUploads(db: Db, userId: string): Promise<number> {
  const { count } = await db
    .selectFrom("uploads")
    .select(({ fn }) => fn.countAll<number>().as("count"))
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** @param userId default: everybody's */
export async function listUploadIds(db: Db, userId?: string): Promise<string[]> {
  const all = db.selectFrom("uploads").select("id");
  const rows = await (userId === undefined ? all : all.where("user_id", "=", userId)).execute();
  return rows.map(({ id }) => id);
}

export function listUploads(db: Db): Promise<UploadRow[]> {
  return db.selectFrom("uploads").selectAll().execute();
}

/** Those that were begun at or before a time (epoch ms). */
export function listOldUploads(db: Db, begunBy: number): Promise<UploadRow[]> {
  return db.selectFrom("uploads").selectAll().where("created_at", "<=", begunBy).limit(500).execute();
}
