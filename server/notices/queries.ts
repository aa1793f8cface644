import type { NoticeSettings } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";

/** A person's choice of notification e-mails: none by default. */
export async function findNoticeSettings(db: Db, userId: string): Promise<NoticeSettings> {
  const row = await db.selectFrom("notice_settings").selectAll().where("user_id", "=", userId).executeTakeFirst();
  return { completed: row?.completed === 1, failed: row?.failed === 1 };
}

export async function saveNoticeSettings(t: Db, userId: string, { completed, failed }: NoticeSettings): Promise<void> {
  const wanted = { completed: Number(completed), failed: Number(failed) };
  await t
    .insertInto("notice_settings")
    .values({ user_id: userId, ...wanted })
    .onConflict((conflict) => conflict.column("user_id").doUpdateSet(wanted))
    .execute();
}

/** Since when a transcription was waited for (epoch ms). Undefined: it is deleted, or was there as it was spoken. */
export async function findWaitedSince(db: Db, transcriptionId: string): Promise<number | undefined> {
  const row = await db
    .selectFrom("transcriptions")
    .select(["date", "origin"])
    .where("id", "=", transcriptionId)
    .where("deleted_at", "is", null)
    .executeTakeFirst();
  return row === undefined || row.origin === "dictation" ? undefined : Number(row.date);
}
