import type { Selectable, Updateable } from "kysely";
import type { Db } from "#server/db/open.ts";
import { affectsAny } from "#server/db/results.ts";
import type { FeedTable } from "./tables.ts";

export type FeedRow = Selectable<FeedTable>;

interface Owned {
  id: string;
  userId: string;
}

/** A person's feeds, the oldest first. */
export function listFeeds(db: Db, userId: string): Promise<FeedRow[]> {
  return db.selectFrom("feeds").selectAll().where("user_id", "=", userId).orderBy("created_at").orderBy("id").execute();
}

export function findFeed(db: Db, { id, userId }: Owned): Promise<FeedRow | undefined> {
  return db.selectFrom("feeds").selectAll().where("id", "=", id).where("user_id", "=", userId).executeTakeFirst();
}

/** @param row times in epoch ms */
export async function insertFeed(t: Db, row: FeedRow): Promise<void> {
  await t.insertInto("feeds").values(row).execute();
}

/** @returns it afterwards; undefined when this person has none with this id */
export async function changeFeed(t: Db, owned: Owned, change: Updateable<FeedTable>): Promise<FeedRow | undefined> {
  if (Object.keys(change).length === 0) return findFeed(t, owned);
  return t
    .updateTable("feeds")
    .set(change)
    .where((eb) => eb.and({ id: owned.id, user_id: owned.userId }))
    .returningAll()
    .executeTakeFirst();
}

/**
 * Deletes a feed with its known episodes; their transcriptions stay.
 * @returns whether it existed
 */
export function deleteFeed(db: Db, { id, userId }: Owned): Promise<boolean> {
  return affectsAny(db.deleteFrom("feeds").where("id", "=", id).where("user_id", "=", userId));
}

export interface Claim {
  /** Epoch ms. */
  now: number;
  /** When another process may do it, epoch ms. */
  leaseUntil: number;
  /** People for whom as much is done at once as may be. */
  without: readonly string[];
}

/** Leases the feed that is due first. @returns it as it is now; undefined when none is due */
export async function claimFeed(db: Db, { now, leaseUntil, without }: Claim): Promise<FeedRow | undefined> {
  for (;;) {
    const due = await findDue(db, now, without);
    if (due === undefined) return undefined;
    const claimed = await db
      .updateTable("feeds")
      .set({ next_at: leaseUntil })
      .where((eb) => eb.and({ id: due.id, next_at: due.next_at }))
      .where("paused_at", "is", null)
      .returningAll()
      .executeTakeFirst();
    if (claimed !== undefined) return claimed;
  }
}

function findDue(db: Db, now: number, without: readonly string[]) {
  const due = db
    .selectFrom("feeds")
    .innerJoin("users", "users.id", "feeds.user_id")
    .select(["feeds.id", "feeds.next_at"])
    .where("feeds.paused_at", "is", null)
    .where("feeds.next_at", "<=", now)
    .where("users.blocked_at", "is", null);
  const free = without.length === 0 ? due : due.where("feeds.user_id", "not in", without);
  return free.orderBy("feeds.next_at").limit(1).executeTakeFirst();
}
