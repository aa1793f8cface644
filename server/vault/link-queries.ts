import type { Selectable } from "kysely";
import { noteChange } from "#server/db/changes.ts";
import type { Db } from "#server/db/open.ts";
import { affectsAny } from "#server/db/results.ts";
import { hasEnded } from "#server/sharing/queries.ts";
import type { VaultLinkTable } from "./tables.ts";

export type VaultLinkRow = Selectable<VaultLinkTable>;
/** Without the sealed part, which may be two megabytes. */
export type VaultLinkFacts = Omit<VaultLinkRow, "sealed">;

const facts = [
  "id",
  "user_id",
  "item_id",
  "hash",
  "audio",
  "has_text",
  "locked",
  "views",
  "created_at",
  "expires_at",
] as const satisfies (keyof VaultLinkFacts)[];

/** A working link: it has not ended, its recording exists, and its owner's account is not blocked. */
const working = (db: Db, id: string) =>
  db
    .selectFrom("vault_links")
    .innerJoin("vault_items", "vault_items.id", "vault_links.item_id")
    .innerJoin("users", "users.id", "vault_links.user_id")
    .where("vault_links.id", "=", id)
    .where("vault_items.arrived_at", "is not", null)
    .where("users.blocked_at", "is", null);

interface WorkingLink {
  item_id: string;
  hash: string;
  audio: number;
  locked: number;
  /** Epoch ms. */
  expires_at: number | null;
  /** Size of the encrypted audio, in bytes. */
  size: number;
}

/** @param now epoch ms */
export async function findWorkingVaultLink(db: Db, id: string, now: number): Promise<WorkingLink | undefined> {
  const row = await working(db, id)
    .select((["item_id", "hash", "audio", "locked", "expires_at"] as const).map((name) => `vault_links.${name}` as const))
    .select("vault_items.size")
    .executeTakeFirst();
  return row === undefined || hasEnded(row, now) ? undefined : row;
}

/** The sealed part of a link. */
export async function sealedOf(db: Db, id: string): Promise<string | undefined> {
  return (await db.selectFrom("vault_links").select("sealed").where("id", "=", id).executeTakeFirst())?.sealed;
}

/** The links to one of this user's recordings, the newest first. */
export function listVaultLinks(db: Db, userId: string, itemId: string): Promise<VaultLinkFacts[]> {
  return db
    .selectFrom("vault_links")
    .select(facts)
    .where((eb) => eb.and({ item_id: itemId, user_id: userId }))
    .orderBy("created_at", "desc")
    .orderBy("id")
    .execute();
}

/** All of a user's links, the oldest first. */
export function listVaultLinksOf(db: Db, userId: string): Promise<VaultLinkFacts[]> {
  return db.selectFrom("vault_links").select(facts).where("user_id", "=", userId).orderBy("created_at").orderBy("id").execute();
}

/** @param row times in epoch ms */
export async function insertVaultLink(t: Db, row: VaultLinkRow): Promise<void> {
  await t.insertInto("vault_links").values(row).execute();
}

/** @returns whether this user's recording had a link with this id */
export async function deleteVaultLink(
  db: Db,
  { id, userId, itemId }: { id: string; userId: string; itemId: string },
): Promise<boolean> {
  const isGone = await affectsAny(db.deleteFrom("vault_links").where((eb) => eb.and({ id, user_id: userId, item_id: itemId })));
  noteChange(db, "rights.ended");
  return isGone;
}
