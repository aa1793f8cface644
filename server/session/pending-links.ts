import { createHash, randomBytes } from "node:crypto";
import type { Db } from "#server/db/open.ts";
import type { User } from "#server/db/schema.ts";
import { authCookie } from "#server/http/cookies.ts";
import type { Origins } from "#server/origins.ts";
import { Problem } from "#server/problem.ts";
import type { Identity } from "./provider.ts";

/** Binds a provider's account that waits to be linked to the browser in which its owner has signed in there. */
export const linkCookie = (deps: { origins: Origins }) => authCookie(deps, "parlance_link");

/** How long somebody may take to type the password, in seconds. */
export const pendingLinkSeconds = 10 * 60;
/** Passwords that may be tried for one link, whatever the throttle says of the account. */
const maxAttempts = 5;

/** A provider's account that is to open one of ours, once that one's password is typed. */
export interface PendingLink {
  user: User;
  identity: Pick<Identity, "issuer" | "subject">;
  /** What the provider says is the person's address; "" for none. */
  email: string;
}

/**
 * Remembers a provider's account until the password of ours comes. An earlier one of the same two is replaced.
 * @param now epoch ms
 * @returns the secret that the browser keeps in a cookie; the database has its SHA-256 alone
 */
export async function keepPendingLink(db: Db, userId: string, identity: Identity, now: number): Promise<string> {
  const secret = randomBytes(32).toString("base64url");
  const { issuer, subject, email = "" } = identity;
  await db.transaction().execute(async (t) => {
    await t
      .deleteFrom("pending_links")
      .where("user_id", "=", userId)
      .where("issuer", "=", issuer)
      .where("subject", "=", subject)
      .execute();
    await t.deleteFrom("pending_links").where("expires_at", "<=", now).execute();
    const expires_at = now + pendingLinkSeconds * 1000;
    await t
      .insertInto("pending_links")
      .values({ hash: hashOf(secret), user_id: userId, issuer, subject, email, attempts: 0, expires_at })
      .execute();
  });
  return secret;
}

/** @returns undefined for a secret that is unknown, used or too old */
export async function findPendingLink(db: Db, secret: string, now: number): Promise<PendingLink | undefined> {
  const row = await db
    .selectFrom("pending_links")
    .innerJoin("users", "users.id", "pending_links.user_id")
    .selectAll("users")
    .select(["pending_links.issuer", "pending_links.subject", "pending_links.email as their_email"])
    .where("pending_links.hash", "=", hashOf(secret))
    .where("pending_links.expires_at", ">", now)
    .where("pending_links.attempts", "<", maxAttempts)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { issuer, subject, their_email: email, ...user } = row;
  return { user, identity: { issuer, subject }, email };
}

/** Counts a password that is about to be tried. */
export async function countAttempt(db: Db, secret: string): Promise<void> {
  await db
    .updateTable("pending_links")
    .set((eb) => ({ attempts: eb("attempts", "+", 1) }))
    .where("hash", "=", hashOf(secret))
    .execute();
}

/**
 * Uses a link up: the provider's account opens ours from now on. Part of a change of credentials (credentials.ts).
 * @throws Problem `gone` when it was used meanwhile, or ended by another change; `providerTaken` when it opens another account
 */
export async function redeemPendingLink(t: Db, secret: string, now: number): Promise<{ userId: string }> {
  const row = await t.deleteFrom("pending_links").where("hash", "=", hashOf(secret)).returningAll().executeTakeFirst();
  if (row === undefined || row.expires_at <= now) throw new Problem("gone");
  const { issuer, subject, user_id: userId } = row;
  const added = await t
    .insertInto("identities")
    .values({ issuer, subject, user_id: userId, created_at: now })
    .onConflict((conflict) => conflict.columns(["issuer", "subject"]).doNothing())
    .returning("user_id")
    .executeTakeFirst();
  if (added === undefined) throw new Problem("providerTaken");
  return { userId };
}

function hashOf(secret: string): string {
  return createHash("sha256").update(secret).digest("hex");
}
