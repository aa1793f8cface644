import type { Db } from "#server/db/open.ts";

/**
 * Records a process's sign of life.
 * @param now epoch ms
 */
export async function markProcess(db: Db, id: string, now: number): Promise<void> {
  await db
    .insertInto("processes")
    .values({ id, seen_at: now })
    .onConflict((conflict) => conflict.column("id").doUpdateSet({ seen_at: now }))
    .execute();
}

/**
 * Deletes processes with their claims.
 * @param seenBy epoch ms: processes without a later sign of life
 */
export async function deleteProcessesSeenBy(db: Db, seenBy: number): Promise<void> {
  await db.deleteFrom("processes").where("seen_at", "<=", seenBy).execute();
}

export async function deleteProcess(db: Db, id: string): Promise<void> {
  await db.deleteFrom("processes").where("id", "=", id).execute();
}

interface NewClaim {
  id: string;
  key: string;
  process: string;
  amount: number;
}

/**
 * Adds a claim, unless the sum for its key would exceed the limit. Of two simultaneous claims that fit only alone, one
 * succeeds.
 * @param seenSince epoch ms: claims of processes without a later sign of life don't count
 */
export function insertClaim(
  db: Db,
  claim: NewClaim,
  { limit, seenSince }: { limit: number; seenSince: number },
): Promise<boolean> {
  return db.transaction().execute(async (t) => {
    const { held } = await t
      .selectFrom("claims")
      .innerJoin("processes", "processes.id", "claims.process")
      .select(({ fn }) => fn.sum<number | null>("amount").as("held"))
      .where("key", "=", claim.key)
      .where("processes.seen_at", ">", seenSince)
      .executeTakeFirstOrThrow();
    if (Number(held ?? 0) + claim.amount > limit) return false;
    await t.insertInto("claims").values(claim).execute();
    return true;
  });
}

export async function deleteClaim(db: Db, id: string): Promise<void> {
  await db.deleteFrom("claims").where("id", "=", id).execute();
}
