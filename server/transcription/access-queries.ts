import type { Context } from "hono";
import type { Access } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import { Problem } from "#server/errors/problem.ts";
import type { AppEnv } from "#server/http/env.ts";
import { askAgain } from "#server/http/while-allowed.ts";
import { findTranscription, isPlayable } from "./queries.ts";
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

/** Ends the answer when the transcription is no longer shared with whoever asks. */
export function endWithShare(c: Context<AppEnv>, { db }: { db: Db }, id: string): void {
  askAgain(c, async () => {
    if ((await findShared(db, c.var.user.id, id)) === undefined) throw nothing();
  });
}

/** Ends the answer when the recording is gone, or its transcription is in the trash. */
export function endWithRecording(c: Context<AppEnv>, { db }: { db: Db }, id: string): void {
  askAgain(c, async () => {
    if (!(await isPlayable(db, id))) throw nothing();
  });
}

async function readableBy<Row>(find: Find<Row>, deps: { db: Db }, c: Context<AppEnv>, id: string): Promise<Readable<Row>> {
  const found = await readable(find, deps, c.var.user.id, id);
  if (found.shared !== undefined) endWithShare(c, deps, id);
  return found;
}

/**
 * The row of the path's id, of a person's own transcription or of one that is shared with them. An answer about a
 * shared one ends with the share.
 * @throws Problem `notFound`
 */
export const readableRow = (deps: { db: Db }, c: Context<AppEnv>, id: string) => readableBy(findTranscription, deps, c, id);

/** The same without long columns. @throws Problem `notFound` */
export const readableSummary = (deps: { db: Db }, c: Context<AppEnv>, id: string) => readableBy(findSummary, deps, c, id);

/** Whether a person may read it, in the transaction that acts on that. @throws Problem `notFound` */
export async function requireReadable(t: Db, userId: string, id: string): Promise<void> {
  await readable(findSummary, { db: t }, userId, id);
}

/** One of a person's own that has a recording. @throws Problem `notFound` */
export async function ownWithSound(deps: { db: Db }, userId: string, id: string): Promise<SummaryRow & { audio_type: string }> {
  const { audio_type, ...row } = await ownSummary(deps, userId, id);
  if (audio_type === null) throw new Problem("notFound", "This transcription has no audio.");
  return { ...row, audio_type };
}
