import type { Access } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import { Problem } from "#server/errors/problem.ts";
import { findTranscription, type TranscriptionRow } from "./queries.ts";
import { findSummary, type SummaryRow } from "./summary-queries.ts";

/** Somebody else's transcription that a person may read: whose it is, and what they may do. */
export interface Shared extends Access {
  ownerId: string;
}

/** How a transcription is shared with a person: neither theirs nor deleted, nor of an account that is blocked. Undefined: not at all. */
export async function findShared(db: Db, userId: string, id: string): Promise<Shared | undefined> {
  const row = await db
    .selectFrom("transcription_shares as s")
    .innerJoin("transcriptions as t", "t.id", "s.transcription_id")
    .innerJoin("users as owner", "owner.id", "t.user_id")
    .select(["s.role", "owner.email", "t.user_id"])
    .where((eb) => eb.and({ "s.user_id": userId, "s.transcription_id": id }))
    .where("t.deleted_at", "is", null)
    .where("owner.blocked_at", "is", null)
    .executeTakeFirst();
  return row && { role: row.role, by: row.email, ownerId: row.user_id };
}

/** What the answer says of it. */
export const accessOf = (shared: Shared | undefined): { access?: Access } =>
  shared === undefined ? {} : { access: { role: shared.role, by: shared.by } };

interface Readable<Row> {
  row: Row;
  /** Undefined: it is their own. */
  shared: Shared | undefined;
}

const nothing = () => new Problem("notFound", "There is no such transcription.");

/** The row of the path's id, of a person's own transcription or of one that is shared with them. @throws Problem `notFound` */
export async function readableRow({ db }: { db: Db }, userId: string, id: string): Promise<Readable<TranscriptionRow>> {
  const own = await findTranscription(db, userId, id);
  if (own !== undefined) return { row: own, shared: undefined };
  const shared = await findShared(db, userId, id);
  const row = shared && (await findTranscription(db, shared.ownerId, id));
  if (row === undefined) throw nothing();
  return { row, shared };
}

/** The same without long columns. @throws Problem `notFound` */
export async function readableSummary({ db }: { db: Db }, userId: string, id: string): Promise<Readable<SummaryRow>> {
  const own = await findSummary(db, userId, id);
  if (own !== undefined) return { row: own, shared: undefined };
  const shared = await findShared(db, userId, id);
  const row = shared && (await findSummary(db, shared.ownerId, id));
  if (row === undefined) throw nothing();
  return { row, shared };
}
