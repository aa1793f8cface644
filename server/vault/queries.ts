import { randomUUID } from "node:crypto";
import type { Selectable } from "kysely";
import type { Db } from "#server/db/open.ts";
import type { VaultItemTable, VaultTable } from "#server/db/schema.ts";

export type VaultRow = Selectable<VaultTable>;
export type VaultItemRow = Selectable<VaultItemTable>;

export function findVault(db: Db, userId: string): Promise<VaultRow | undefined> {
  return db.selectFrom("vaults").selectAll().where("user_id", "=", userId).executeTakeFirst();
}

/** @returns undefined when this person has one already */
export function insertVault(db: Db, row: Omit<VaultRow, "revision">): Promise<VaultRow | undefined> {
  return db
    .insertInto("vaults")
    .values({ ...row, revision: 0 })
    .onConflict((conflict) => conflict.column("user_id").doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** Another passphrase. @returns undefined when it was changed elsewhere meanwhile */
export function resealVault(db: Db, userId: string, sealed: string, revision: number): Promise<VaultRow | undefined> {
  return db
    .updateTable("vaults")
    .set({ sealed, revision: revision + 1 })
    .where("user_id", "=", userId)
    .where("revision", "=", revision)
    .returningAll()
    .executeTakeFirst();
}

/** What has come whole, newest first. */
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

/** One that is taken up again has its room already. */
export async function isVaultItemBegun(db: Db, userId: string, clientId: string): Promise<boolean> {
  const items = db.selectFrom("vault_items").select("id").where("user_id", "=", userId).where("client_id", "=", clientId);
  return (await items.executeTakeFirst()) !== undefined;
}

interface NewItem {
  userId: string;
  clientId: string;
  transcriptionId: string | null;
  meta: string;
  size: number;
}

/**
 * Begins an item; one that is there under the same client id is taken up again.
 * @param most how many there may be
 * @returns undefined when there are as many as there may be
 */
export function beginVaultItem(db: Db, item: NewItem, at: number, most: number): Promise<VaultItemRow | undefined> {
  return db.transaction().execute(async (t) => {
    const mine = t.selectFrom("vault_items").where("user_id", "=", item.userId);
    const known = await mine.selectAll().where("client_id", "=", item.clientId).executeTakeFirst();
    if (known !== undefined) return known;
    const { count } = await mine.select(({ fn }) => fn.countAll<number>().as("count")).executeTakeFirstOrThrow();
    if (Number(count) >= most) return undefined;
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
 * More of its file is on disk.
 * @param from what was there before
 * @returns undefined when another request was first
 */
export function growVaultItem(
  db: Db,
  { id, from, to, whole, at }: { id: string; from: number; to: number; whole: boolean; at: number },
): Promise<VaultItemRow | undefined> {
  return db
    .updateTable("vault_items")
    .set({ received: to, touched_at: at, ...(whole ? { arrived_at: at } : {}) })
    .where("id", "=", id)
    .where("received", "=", from)
    .returningAll()
    .executeTakeFirst();
}

export async function changeVaultItem(
  db: Db,
  id: string,
  change: Partial<Pick<VaultItemRow, "meta" | "has_text">>,
): Promise<VaultItemRow> {
  return db.updateTable("vault_items").set(change).where("id", "=", id).returningAll().executeTakeFirstOrThrow();
}

export async function removeVaultItem(db: Db, id: string): Promise<void> {
  await db.deleteFrom("vault_items").where("id", "=", id).execute();
}

/** Takes a person's vault away. @returns the ids of what was in it */
export function removeVault(db: Db, userId: string): Promise<string[]> {
  return db.transaction().execute(async (t) => {
    const items = await listVaultItemIdsOf(t, userId);
    await t.deleteFrom("vaults").where("user_id", "=", userId).execute();
    return items;
  });
}

/** Items whose file has not grown since. */
export function listUnfinishedItems(db: Db, since: number): Promise<Pick<VaultItemRow, "id">[]> {
  return db
    .selectFrom("vault_items")
    .select("id")
    .where("arrived_at", "is", null)
    .where("touched_at", "<=", since)
    .limit(500)
    .execute();
}

export async function allVaultItemIds(db: Db): Promise<Set<string>> {
  return new Set((await db.selectFrom("vault_items").select("id").execute()).map(({ id }) => id));
}

/** The ids of all items of a person, whole or not. */
export async function listVaultItemIdsOf(t: Db, userId: string): Promise<string[]> {
  const rows = await t.selectFrom("vault_items").select("id").where("user_id", "=", userId).execute();
  return rows.map(({ id }) => id);
}

/** How many items there are in a person's vault, whole or not, and what has come of them (bytes). */
export async function measureVault(db: Db, userId: string): Promise<{ items: number; bytes: number }> {
  const { items, bytes } = await db
    .selectFrom("vault_items")
    .select(({ fn }) => [fn.countAll<number>().as("items"), fn.sum<number | null>("received").as("bytes")])
    .where("user_id", "=", userId)
    .executeTakeFirstOrThrow();
  return { items: Number(items), bytes: Number(bytes ?? 0) };
}
