import type { LinkKind } from "#contract/index.ts";
import type { Db } from "#server/db/open.ts";
import { Problem } from "#server/errors/problem.ts";
import { requireLiving } from "#server/session/queries.ts";
import { hashOf, newSecret } from "#server/session/secrets.ts";
import { consumeLinkToken, deleteLinkTokensOf, findLinkTokenEmail, insertLinkToken } from "./link-token-queries.ts";

/**
 * The purpose of a mailed link: `confirm` an address, choose a new password, change the account's address, or stop such
 * a change.
 */
export type TokenPurpose = "confirm" | "reset" | "newEmail" | "stopEmail";

const hour = 60 * 60_000;
/** The lifetime of a link in ms. */
const lifeMs: Record<TokenPurpose, number> = { confirm: 24 * hour, reset: hour, newEmail: 24 * hour, stopEmail: 24 * hour };

const linkKinds: Partial<Record<TokenPurpose, LinkKind>> = { confirm: "signup", stopEmail: "stop" };

export interface TokenOptions {
  userId: string;
  purpose: TokenPurpose;
  email: string;
  /** The session that requested it, which stays valid after the change. */
  sessionId?: string;
  /** Epoch ms. */
  now: number;
}

/**
 * Creates a link's token. Earlier ones with the same purpose stop working, except those that stop a change: the links
 * of all such e-mails must work. The database has only its SHA-256.
 * @throws Problem `unauthorized` if the requesting session has ended
 */
export async function issueToken(db: Db, { userId, purpose, email, sessionId, now }: TokenOptions): Promise<string> {
  const token = newToken(linkKinds[purpose]);
  const row = { hash: hashOf(token), user_id: userId, purpose, email, session_id: sessionId ?? null };
  await db.transaction().execute(async (t) => {
    if (sessionId !== undefined) await requireLiving(t, userId, sessionId);
    if (purpose !== "stopEmail") await deleteLinkTokensOf(t, userId, [purpose]);
    await insertLinkToken(t, { ...row, expires_at: now + lifeMs[purpose] });
  });
  return token;
}

export interface Redeemed {
  userId: string;
  purpose: TokenPurpose;
  email: string;
  sessionId: string | null;
}

/**
 * Consumes a token.
 * @param now epoch ms
 * @throws Problem `linkInvalid` for a token that is unknown, used, replaced or expired
 */
export async function redeemToken(t: Db, token: string, purposes: readonly TokenPurpose[], now: number): Promise<Redeemed> {
  const row = await consumeLinkToken(t, hashOf(token), purposes);
  if (row === undefined || row.expires_at <= now) throw new Problem("linkInvalid");
  return { userId: row.user_id, purpose: row.purpose, email: row.email, sessionId: row.session_id };
}

/**
 * The address of a link, without consuming it.
 * @throws Problem `linkInvalid` as above
 */
export async function addressOfToken(db: Db, token: string, purpose: TokenPurpose, now: number): Promise<string> {
  const email = await findLinkTokenEmail(db, hashOf(token), purpose, now);
  if (email === undefined) throw new Problem("linkInvalid");
  return email;
}

/**
 * A random token of 256 bits.
 * @param kind tells the page the link's purpose (contract/account.ts, `linkKindOf`)
 */
export function newToken(kind?: LinkKind): string {
  return kind === undefined ? newSecret() : `${kind}-${newSecret()}`;
}
