import { sql } from "kysely";
import type { Db } from "#server/db/open.ts";
import type { AttemptTable } from "./tables.ts";

/**
 * Counts one attempt under a key, in a window that begins with the first one.
 * @param now epoch ms
 * @param resetsAt the end of a window that begins now, epoch ms
 * @returns the number of attempts in the window, including this one, and its end
 */
export function countAttempt(
  db: Db,
  key: string,
  { now, resetsAt }: { now: number; resetsAt: number },
): Promise<Pick<AttemptTable, "count" | "resets_at">> {
  return db
    .insertInto("attempts")
    .values({ key, count: 1, resets_at: resetsAt })
    .onConflict((conflict) =>
      conflict.column("key").doUpdateSet({
        count: sql<number>`case when attempts.resets_at <= ${now} then 1 else attempts.count + 1 end`,
        resets_at: sql<number>`case when attempts.resets_at <= ${now} then ${resetsAt} else attempts.resets_at end`,
      }),
    )
    .returning(["count", "resets_at"])
    .executeTakeFirstOrThrow();
}

/**
 * Moves `resets_at` (when the allowance is full again) `everyMs` later, unless that lies after `latest`
 * (compare-and-set).
 * @param now epoch ms
 * @param latest epoch ms
 * @returns whether it was moved
 */
export async function takeFromPace(
  db: Db,
  key: string,
  { now, latest, everyMs }: { now: number; latest: number; everyMs: number },
): Promise<boolean> {
  const taken = await db
    .insertInto("attempts")
    .values({ key, count: 1, resets_at: now + everyMs })
    .onConflict((conflict) =>
      conflict
        .column("key")
        .doUpdateSet({
          count: sql<number>`attempts.count + 1`,
          resets_at: sql<number>`(case when attempts.resets_at <= ${now} then ${now} else attempts.resets_at end) + ${everyMs}`,
        })
        .where("attempts.resets_at", "<=", latest),
    )
    .returning("key")
    .executeTakeFirst();
  return taken !== undefined;
}

/** Moves `resets_at` `everyMs` earlier again. */
export async function giveBackToPace(db: Db, key: string, everyMs: number): Promise<void> {
  await db
    .updateTable("attempts")
    .set((eb) => ({ resets_at: eb("resets_at", "-", everyMs) }))
    .where("key", "=", key)
    .execute();
}

/** @returns epoch ms */
export async function findResetsAt(db: Db, key: string): Promise<number | undefined> {
  return (await db.selectFrom("attempts").select("resets_at").where("key", "=", key).executeTakeFirst())?.resets_at;
}

/** Clears the counter of a key. */
export async function deleteAttempts(db: Db, key: string): Promise<void> {
  await db.deleteFrom("attempts").where("key", "=", key).execute();
}

/** @param now epoch ms */
export async function deleteExpiredAttempts(db: Db, now: number): Promise<void> {
  await db.deleteFrom("attempts").where("resets_at", "<=", now).execute();
}
