import type { Insertable, Selectable } from "kysely";
import type { Db } from "#server/db/open.ts";
import type { IdentityTable, PendingLinkTable, User } from "#server/db/schema.ts";

/** What a provider's account is known by. */
type Key = Pick<IdentityTable, "issuer" | "subject">;

/** The account that a provider's account opens. */
export function findUserByIdentity(db: Db, { issuer, subject }: Key): Promise<User | undefined> {
  return db
    .selectFrom("identities")
    .innerJoin("users", "users.id", "identities.user_id")
    .selectAll("users")
    .where("identities.issuer", "=", issuer)
    .where("identities.subject", "=", subject)
    .executeTakeFirst();
}

/** The providers' accounts that open this one, the oldest link first. */
export function listIdentities(db: Db, userId: string): Promise<Pick<IdentityTable, "issuer" | "created_at">[]> {
  return db
    .selectFrom("identities")
    .select(["issuer", "created_at"])
    .where("user_id", "=", userId)
    .orderBy("created_at")
    .execute();
}

/** @throws the database's error when the provider's account opens one already */
export async function insertIdentity(t: Db, identity: Insertable<IdentityTable>): Promise<void> {
  await t.insertInto("identities").values(identity).execute();
}

/** Adds a provider's account unless it opens one already. @returns whether it was added */
export async function insertIdentityIfFree(t: Db, identity: Insertable<IdentityTable>): Promise<boolean> {
  const added = await t
    .insertInto("identities")
    .values(identity)
    .onConflict((conflict) => conflict.columns(["issuer", "subject"]).doNothing())
    .returning("user_id")
    .executeTakeFirst();
  return added !== undefined;
}

/** No provider's account opens this one any more. */
export async function deleteIdentitiesOf(t: Db, userId: string): Promise<void> {
  await t.deleteFrom("identities").where("user_id", "=", userId).execute();
}

/** Keeps a link that waits for the password. @param link with the SHA-256 of its secret; `expires_at` in epoch ms */
export async function insertPendingLink(t: Db, link: Insertable<PendingLinkTable>): Promise<void> {
  await t.insertInto("pending_links").values(link).execute();
}

/** A provider's account that is to open one of ours, once that one's password is typed. */
export interface PendingLink {
  user: User;
  identity: Key;
  /** What the provider says is the person's address; "" for none. */
  email: string;
}

/**
 * @param maxAttempts passwords that may be tried for one link
 * @param now epoch ms
 * @returns undefined for a link that is unknown, too old, or was tried too often
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

/** Counts a password that is about to be tried. */
export async function countPendingLinkAttempt(db: Db, hash: string): Promise<void> {
  await db
    .updateTable("pending_links")
    .set((eb) => ({ attempts: eb("attempts", "+", 1) }))
    .where("hash", "=", hash)
    .execute();
}

/** Uses a link up, whether or not it is too old. */
export function takePendingLink(t: Db, hash: string): Promise<Selectable<PendingLinkTable> | undefined> {
  return t.deleteFrom("pending_links").where("hash", "=", hash).returningAll().executeTakeFirst();
}

/** Deletes what waits to link this provider's account with this person's. */
export async function deletePendingLink(t: Db, userId: string, { issuer, subject }: Key): Promise<void> {
  await t
    .deleteFrom("pending_links")
    .where("user_id", "=", userId)
    .where("issuer", "=", issuer)
    .where("subject", "=", subject)
    .execute();
}

/** Nothing waits to be linked with this person's account any more. */
export async function deletePendingLinksOf(t: Db, userId: string): Promise<void> {
  await t.deleteFrom("pending_links").where("user_id", "=", userId).execute();
}

/** @param now epoch ms */
export async function deleteExpiredPendingLinks(db: Db, now: number): Promise<void> {
  await db.deleteFrom("pending_links").where("expires_at", "<=", now).execute();
}
