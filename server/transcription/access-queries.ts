import type { Context } from "hono";
import type { Access } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import { Problem } from "#server/errors/problem.ts";
import type { AppEnv } from "#server/http/env.ts";
import { askAgain } from "#server/http/while-allowed.ts";
import { findTranscription, isPlayable } from "./queries.ts";
import { findSummary, type SummaryRow } from "./summary-queries.ts";

/** Another user's transcription that a user may read: its owner, and the user's rights. */
export interface Shared extends Access {
  ownerId: string;
}

/**
 * How a transcription is shared with a user. Undefined when it is not shared, is their own or deleted, or its owner is
 * blocked.
 */
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

/** The access facts in an API response. */
export const accessOf = (shared: Shared | undefined): { access?: Access } =>
  shared === undefined ? {} : { access: { role: shared.role, by: shared.by } };

interface Readable<Row> {
  row: Row;
  /** Undefined when it is the user's own. */
  shared: Shared | undefined;
}

const nothing = () => new Problem("notFound", "This transcription does not exist.");

type Find<Row> = (db: Db, userId: string, id: string) => Promise<Row | undefined>;

async function own<Row>(find: Find<Row>, { db }: { db: Db }, userId: string, id: string): Promise<Row> {
  const row = await find(db, userId, id);
  if (row === undefined) throw nothing();
  return row;
}

/** The user's own row by the path's id. @throws Problem `notFound`, also for other users' rows */
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

/** Ends the response when the transcription is no longer shared with the caller. */
export function endWithShare(c: Context<AppEnv>, { db }: { db: Db }, id: string): void {
  askAgain(c, async () => {
    if ((await findShared(db, c.var.user.id, id)) === undefined) throw nothing();
  });
}

/** Ends the response when the recording is deleted, or its transcription is in the trash. */
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
 * The row by the path's id: the user's own transcription, or one shared with them. A response about a shared one ends
 * with the share.
 * @throws Problem `notFound`
 */
export const readableRow = (deps: { db: Db }, c: Context<AppEnv>, id: string) => readableBy(findTranscription, deps, c, id);

/** The same without long columns. @throws Problem `notFound` */
export const readableSummary = (deps: { db: Db }, c: Context<AppEnv>, id: string) => readableBy(findSummary, deps, c, id);

/** Checks that a user may read the transcription, in the transaction that depends on it. @throws Problem `notFound` */
export async function requireReadable(t: Db, userId: string, id: string): Promise<void> {
  await readable(findSummary, { db: t }, userId, id);
}

/** The user's own transcription with a recording. @throws Problem `notFound` */
export async function ownWithSound(deps: { db: Db }, userId: string, id: string): Promise<SummaryRow & { audio_type: string }> {
  const { audio_type, ...row } = await ownSummary(deps, userId, id);
  if (audio_type === null) throw new Problem("notFound", "This transcription has no audio.");
  return { ...row, audio_type };
}
