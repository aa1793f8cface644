import { sql } from "kysely";
import { trashMs, trashTextLength } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import { pauseJob } from "#server/jobs/queries.ts";
import { erased, nextRevision, noteHiding, restored, trashed } from "#server/transcription/queries.ts";
import { type SummaryRow, summaries } from "#server/transcription/summary-queries.ts";

const dayMs = 24 * 60 * 60 * 1000;
/** The sweep notes an upcoming deletion this long before (milliseconds). */
export const lastDayMs = dayMs;
/** Least age of the note before a deletion: a little less than a day, so that nothing is erased late (milliseconds). */
export const noticeMs = lastDayMs - 60 * 60 * 1000;

/** Cursor of a page of the trash: the page begins after this item. */
export interface TrashCursor {
  /** Epoch ms. */
  deletedAt: number;
  id: string;
}
interface TrashRow extends SummaryRow {
  deleted_at: number;
}

/** The content of a user's trash at a time (epoch ms). */
function inTrash(db: Db, userId: string, now: number) {
  return db
    .selectFrom("transcriptions")
    .where((eb) => eb.and({ user_id: userId, erasing: 0 }))
    .where("deleted_at", ">", now - trashMs);
}

/** One page, the last deleted first. Each text is cut to `trashTextLength` characters. @param now epoch ms */
export async function listTrash(
  db: Db,
  userId: string,
  { limit, after, now }: { limit: number; after: TrashCursor | undefined; now: number },
): Promise<{ rows: TrashRow[]; total: number }> {
  const { total } = await inTrash(db, userId, now)
    .select(({ fn }) => fn.countAll<number>().as("total"))
    .executeTakeFirstOrThrow();
  const found = await inTrash(db, userId, now)
    .select(["id", "deleted_at"])
    .$if(after !== undefined, (query) =>
      query.where(({ eb, refTuple, tuple }) =>
        eb(refTuple("deleted_at", "id"), "<", tuple(after?.deletedAt ?? 0, after?.id ?? "")),
      ),
    )
    .orderBy("deleted_at", "desc")
    .orderBy("id", "desc")
    .limit(limit)
    .execute();
  if (found.length === 0) return { rows: [], total: Number(total) };
  const ids = found.map(({ id }) => id);
  const rows = new Map((await summaries(db, trashTextLength).where("id", "in", ids).execute()).map((row) => [row.id, row]));
  return {
    total: Number(total),
    rows: found.flatMap(({ id, deleted_at }) => {
      const row = rows.get(id);
      return row === undefined || deleted_at === null ? [] : [{ ...row, deleted_at }];
    }),
  };
}

/** The outcome of a change of one of a user's transcriptions. */
export type Outcome = "done" | "notFound" | "gone";

/** Moves it to the trash and cancels its job. One that is already there stays as it is. Call it in a transaction. */
export async function trashOne(t: Db, userId: string, id: string, now: number): Promise<Outcome> {
  const row = await findDeletion(t, userId, id);
  if (row === undefined || row.erasing === 1) return "notFound";
  if (row.deleted_at !== null) return "done";
  await change(t, userId, id, trashed(now));
  await pauseJob(t, id, true);
  return "done";
}

/** Restores it and resumes its job. One that is not deleted stays as it is. Call it in a transaction. */
export async function restoreOne(t: Db, userId: string, id: string, now: number): Promise<Outcome> {
  const row = await findDeletion(t, userId, id);
  if (row === undefined) return "notFound";
  if (row.deleted_at === null) return "done";
  if (row.erasing === 1 || row.deleted_at <= now - trashMs) return "gone";
  await change(t, userId, id, restored);
  await pauseJob(t, id, false);
  return "done";
}

/** Marks it for the next sweep to erase. One outside of the trash is not found; one already erased is done. */
export async function eraseOne(t: Db, userId: string, id: string, now: number): Promise<Outcome> {
  const row = await findDeletion(t, userId, id);
  if (row === undefined) return "done";
  if (row.deleted_at === null) return "notFound";
  if (row.erasing !== 1) await change(t, userId, id, erased(now));
  return "done";
}

/** Erases everything that was in the trash at a time (epoch ms). @returns how many */
export async function eraseAll(db: Db, userId: string, { until, now }: { until: number; now: number }): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable("transcriptions")
    .set(erased(now))
    .where((eb) => eb.and({ user_id: userId, erasing: 0 }))
    .where("deleted_at", "<=", until)
    .executeTakeFirstOrThrow();
  return Number(numUpdatedRows);
}

function findDeletion(t: Db, userId: string, id: string) {
  return t
    .selectFrom("transcriptions")
    .select(["deleted_at", "erasing"])
    .where((eb) => eb.and({ id, user_id: userId }))
    .executeTakeFirst();
}

type Deletion = typeof restored | ReturnType<typeof trashed> | ReturnType<typeof erased>;

async function change(t: Db, userId: string, id: string, deletion: Deletion): Promise<void> {
  await t
    .updateTable("transcriptions")
    .set({ ...deletion, revision: await nextRevision(t, userId) })
    .where("id", "=", id)
    .execute();
  noteHiding(t, deletion);
}

/**
 * Prepares `listDue`. A wrong clock must not empty a trash. Items with an impossible date (in the future, or before
 * their account) get thirty days from now. Items whose last day has begun are noted, a day before their deletion. So a
 * clock that is ahead for less than a day finds no note that is old enough. @param now epoch ms
 */
export async function notePendingDeletion(db: Db, now: number): Promise<void> {
  const anew = { deleted_at: now, doomed_at: null };
  const trash = db.updateTable("transcriptions").where("erasing", "<>", 1);
  await trash
    .set(anew)
    .where("deleted_at", ">", now + dayMs)
    .execute();
  const near = now - trashMs + lastDayMs;
  await trash
    .set(anew)
    .where("deleted_at", "<=", near)
    .where(sql<boolean>`deleted_at < (select created_at from users where users.id = user_id)`)
    .execute();
  await trash.set({ doomed_at: null }).where("deleted_at", "is not", null).where("doomed_at", ">", now).execute();
  await trash.set({ doomed_at: now }).where("deleted_at", "<=", near).where("doomed_at", "is", null).execute();
}

/** Items to erase now. @param now epoch ms @returns at most 500 */
export async function listDue(db: Db, now: number): Promise<{ id: string; user_id: string; client_id: string }[]> {
  const due = db
    .selectFrom("transcriptions")
    .select("id")
    .where("deleted_at", "is not", null)
    .where(({ eb, and, or }) =>
      or([
        eb("erasing", "=", 1),
        and([eb("deleted_at", "<=", now - trashMs), eb("doomed_at", "is not", null), eb("doomed_at", "<=", now - noticeMs)]),
      ]),
    )
    .limit(500);
  return db.selectFrom("transcriptions").select(["id", "user_id", "client_id"]).where("id", "in", due).execute();
}
