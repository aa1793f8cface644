import { randomUUID } from "node:crypto";
import type { Selectable } from "kysely";
import { noteChange } from "#server/db/changes.ts";
import type { Db } from "#server/db/open.ts";
import { idsOf } from "#server/db/results.ts";
import { inTransaction } from "#server/db/transaction.ts";
import { Problem } from "#server/errors/problem.ts";
import type { VaultItemTable, VaultTable } from "./tables.ts";

export type VaultRow = Selectable<VaultTable>;
export type VaultItemRow = Selectable<VaultItemTable>;

export function findVault(db: Db, userId: string): Promise<VaultRow | undefined> {
  return db.selectFrom("vaults").selectAll().where("user_id", "=", userId).executeTakeFirst();
}

/** @returns undefined when this user already has a vault */
export function insertVault(db: Db, row: Omit<VaultRow, "revision">): Promise<VaultRow | undefined> {
  return inTransaction(db, (t) =>
    t
      .insertInto("vaults")
      .values({ ...row, revision: 0 })
      .onConflict((conflict) => conflict.column("user_id").doNothing())
      .returningAll()
      .executeTakeFirst(),
  );
}

/** Changes the passphrase. @returns undefined when it was changed concurrently */
export function resealVault(db: Db, userId: string, sealed: string, revision: number): Promise<VaultRow | undefined> {
  return inTransaction(db, (t) =>
    t
      .updateTable("vaults")
      .set({ sealed, revision: revision + 1 })
      .where((eb) => eb.and({ user_id: userId, revision }))
      .returningAll()
      .executeTakeFirst(),
  );
}

/** Complete items, newest first. */
export function listVaultItems(db: Db, userId: string): Promise<VaultItemRow[]> {
  return db
    .selectFrom("vault_items")
    .selectAll()
    .where("user_id", "=", userId)
    .where("arrived_at", "is not", null)
    .orderBy("arrived_at", "desc")
    .orderBy("id")
    .execute();
}

export function findVaultItem(db: Db, userId: string, id: string): Promise<VaultItemRow | undefined> {
  return db.selectFrom("vault_items").selectAll().where("user_id", "=", userId).where("id", "=", id).executeTakeFirst();
}

interface NewItem {
  userId: string;
  clientId: string;
  transcriptionId: string | null;
  meta: string;
  size: number;
}

/**
 * Begins an item, or resumes the one with the same client id.
 * @param maxItems maximum number of items
 * @returns undefined when the maximum is reached
 */
export function beginVaultItem(db: Db, item: NewItem, at: number, maxItems: number): Promise<VaultItemRow | undefined> {
  return db.transaction().execute(async (t) => {
    const mine = t.selectFrom("vault_items").where("user_id", "=", item.userId);
    const known = await mine.selectAll().where("client_id", "=", item.clientId).executeTakeFirst();
    if (known !== undefined) return known;
    const { count } = await mine.select(({ fn }) => fn.countAll<number>().as("count")).executeTakeFirstOrThrow();
    if (Number(count) >= maxItems) return undefined;
    return t
      .insertInto("vault_items")
      .values({
        id: randomUUID(),
        user_id: item.userId,
        client_id: item.clientId,
        transcription_id: item.transcriptionId,
        meta: item.meta,
        size: item.size,
        received: 0,
        has_text: 0,
        created_at: at,
        touched_at: at,
      })
      .returningAll()
      .executeTakeFirst();
  });
}

/**
 * Records that an item's file has grown.
 * @param from its previous length
 * @returns undefined when another request was faster
 */
export function growVaultItem(
  db: Db,
  { id, from, to, whole, at }: { id: string; from: number; to: number; whole: boolean; at: number },
): Promise<VaultItemRow | undefined> {
  return db
    .updateTable("vault_items")
    .set({ received: to, touched_at: at, ...(whole ? { arrived_at: at } : {}) })
    .where((eb) => eb.and({ id, received: from }))
    .returningAll()
    .executeTakeFirst();
}

const gone = () => new Problem("notFound", "The vault does not have this recording.");

/** @throws Problem `notFound` when it has just been deleted */
export async function changeVaultItem(
  db: Db,
  id: string,
  change: Partial<Pick<VaultItemRow, "meta" | "has_text" | "text_bytes">>,
): Promise<VaultItemRow> {
  return inTransaction(db, (t) =>
    t.updateTable("vault_items").set(change).where("id", "=", id).returningAll().executeTakeFirstOrThrow(gone),
  );
}

export async function removeVaultItem(db: Db, id: string): Promise<void> {
  await db.deleteFrom("vault_items").where("id", "=", id).execute();
  noteChange(db, "rights.ended");
}

/** Deletes a user's vault. @returns the ids of its items */
export function removeVault(db: Db, userId: string): Promise<string[]> {
  return db.transaction().execute(async (t) => {
    const items = await listVaultItemIdsOf(t, userId);
    await t.deleteFrom("vaults").where("user_id", "=", userId).execute();
    noteChange(t, "rights.ended");
    return items;
  });
}

/** Incomplete items without new bytes since a time. */
export function listUnfinishedItems(db: Db, since: number): Promise<Pick<VaultItemRow, "id">[]> {
  return db
    .selectFrom("vault_items")
    .select("id")
    .where("arrived_at", "is", null)
    .where("touched_at", "<=", since)
    .limit(500)
    .execute();
}

/** The ids of those that exist, complete or not. */
export function findVaultItemIds(db: Db, ids: readonly string[]): Promise<string[]> {
  return idsOf(db.selectFrom("vault_items").select("id").where("id", "in", ids));
}

/** The ids of a user's items, complete or not. */
export function listVaultItemIdsOf(t: Db, userId: string): Promise<string[]> {
  return idsOf(t.selectFrom("vault_items").select("id").where("user_id", "=", userId));
}

/** The number of items in a user's vault, complete or not, and their bytes received. */
export async function measureVault(db: Db, userId: string): Promise<{ items: number; bytes: number }> {
  const { items, bytes } = await db
    .selectFrom("vault_items")
    .select(({ fn }) => [fn.countAll<number>().as("items"), fn.sum<number | null>("received").as("bytes")])
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return { items: Number(items), bytes: Number(bytes ?? 0) };
}
