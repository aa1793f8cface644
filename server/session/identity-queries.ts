import type { Insertable, Selectable } from "kysely";
import type { Db } from "#server/db/open.ts";
import type { User } from "#server/users/tables.ts";
import type { IdentityTable, PendingLinkTable } from "./tables.ts";

type Key = Pick<IdentityTable, "issuer" | "subject">;

/** The account linked to a provider's account. */
export function findUserByIdentity(db: Db, { issuer, subject }: Key): Promise<User | undefined> {
  return db
    .selectFrom("identities")
    .innerJoin("users", "users.id", "identities.user_id")
    .selectAll("users")
    .where("identities.issuer", "=", issuer)
    .where("identities.subject", "=", subject)
    .executeTakeFirst();
}

/** The providers' accounts linked to this one, the oldest link first. */
export function listIdentities(db: Db, userId: string): Promise<Pick<IdentityTable, "issuer" | "created_at">[]> {
  return db
    .selectFrom("identities")
    .select(["issuer", "created_at"])
    .where("user_id", "=", userId)
    .orderBy("created_at")
    .execute();
}

/** @throws the database's error when the provider's account is already linked */
export async function insertIdentity(t: Db, identity: Insertable<IdentityTable>): Promise<void> {
  await t.insertInto("identities").values(identity).execute();
}

/** Links a provider's account unless it is linked already. @returns whether it was added */
export async function insertIdentityIfFree(t: Db, identity: Insertable<IdentityTable>): Promise<boolean> {
  const added = await t
    .insertInto("identities")
    .values(identity)
    .onConflict((conflict) => conflict.columns(["issuer", "subject"]).doNothing())
    .returning("user_id")
    .executeTakeFirst();
  return added !== undefined;
}

/** Unlinks the accounts of one provider. @param issuer default: of all providers */
export async function deleteIdentitiesOf(t: Db, userId: string, issuer?: string): Promise<void> {
  const own = t.deleteFrom("identities").where("user_id", "=", userId);
  await (issuer === undefined ? own : own.where("issuer", "=", issuer)).execute();
}

/**
 * Stores a link that is pending until the password is entered. @param link with the SHA-256 of its secret; `expires_at`
 * in epoch ms
 */
export async function insertPendingLink(t: Db, link: Insertable<PendingLinkTable>): Promise<void> {
  await t.insertInto("pending_links").values(link).execute();
}

/** A provider's account to be linked to one of ours once its password is entered. */
export interface PendingLink {
  user: User;
  identity: Key;
  /** The address according to the provider; "" for none. */
  email: string;
}

/**
 * @param maxAttempts password attempts per link
 * @param now epoch ms
 * @returns undefined for a link that is unknown, expired or out of attempts
 */
export async function findPendingLinkByHash(
  db: Db,
  hash: string,
  { maxAttempts, now }: { maxAttempts: number; now: number },
): Promise<PendingLink | undefined> {
  const row = await db
    .selectFrom("pending_links")
    .innerJoin("users", "users.id", "pending_links.user_id")
    .selectAll("users")
    .select(["pending_links.issuer", "pending_links.subject", "pending_links.email as their_email"])
    .where("pending_links.hash", "=", hash)
    .where("pending_links.expires_at", ">", now)
    .where("pending_links.attempts", "<", maxAttempts)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { issuer, subject, their_email: email, ...user } = row;
  return { user, identity: { issuer, subject }, email };
}

/** Counts a password attempt before it is made. */
export async function countPendingLinkAttempt(db: Db, hash: string): Promise<void> {
  await db
    .updateTable("pending_links")
    .set((eb) => ({ attempts: eb("attempts", "+", 1) }))
    .where("hash", "=", hash)
    .execute();
}

/** Deletes and returns a link, expired or not. */
export function takePendingLink(t: Db, hash: string): Promise<Selectable<PendingLinkTable> | undefined> {
  return t.deleteFrom("pending_links").where("hash", "=", hash).returningAll().executeTakeFirst();
}

/** Deletes the pending link between this provider's account and this user. */
export async function deletePendingLink(t: Db, userId: string, { issuer, subject }: Key): Promise<void> {
  await t
    .deleteFrom("pending_links")
    .where("user_id", "=", userId)
    .where("issuer", "=", issuer)
    .where("subject", "=", subject)
    .execute();
}

/** Deletes all pending links to a user's account. */
export async function deletePendingLinksOf(t: Db, userId: string): Promise<void> {
  await t.deleteFrom("pending_links").where("user_id", "=", userId).execute();
}

/** @param now epoch ms */
export async function deleteExpiredPendingLinks(db: Db, now: number): Promise<void> {
  await db.deleteFrom("pending_links").where("expires_at", "<=", now).execute();
}
