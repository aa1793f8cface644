import type { Access } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import { Problem } from "#server/errors/problem.ts";
import { findTranscription } from "./queries.ts";
import { findSummary } from "./summary-queries.ts";

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

type Find<Row> = (db: Db, userId: string, id: string) => Promise<Row | undefined>;

async function own<Row>(find: Find<Row>, { db }: { db: Db }, userId: string, id: string): Promise<Row> {
  const row = await find(db, userId, id);
  if (row === undefined) throw nothing();
  return row;
}

/** The row of the path's id. @throws Problem `notFound`, for other people's too */
export const ownRow = (deps: { db: Db }, userId: string, id: string) => own(findTranscription, deps, userId, id);

/** The same without long columns. @throws Problem `notFound` */
export const ownSummary = (deps: { db: Db }, userId: string, id: string) => own(findSummary, deps, userId, id);

async function readable<Row>(find: Find<Row>, { db }: { db: Db }, userId: string, id: string): Promise<Readable<Row>> {
  const row = await find(db, userId, id);
  if (row !== undefined) return { row, shared: undefined };
  const shared = await findShared(db, userId, id);
  if (shared === undefined) throw nothing();
  return { row: await own(find, { db }, shared.ownerId, id), shared };
}

/** The row of the path's id, of a person's own transcription or of one that is shared with them. @throws Problem `notFound` */
export const readableRow = (deps: { db: Db }, userId: string, id: string) => readable(findTranscription, deps, userId, id);

/** The same without long columns. @throws Problem `notFound` */
export const readableSummary = (deps: { db: Db }, userId: string, id: string) => readable(findSummary, deps, userId, id);
